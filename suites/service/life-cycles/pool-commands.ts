import fc from 'fast-check';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { PoolCommand, PoolFilter } from './commands.ts';
import { type Commands, type LifeCycleWorld, LONGEST } from './life-cycle-world.ts';

/** The shortest walk through filters that holds each of them against others: six lists. */
export function filterWalk(world: LifeCycleWorld): Commands<PoolCommand> {
  return poolFilters(world, (filters) => {
    const { chainId, protocol, tokens } = filters;
    const add = (filter: PoolFilter, value: string): PoolCommand => ({
      ...{ cycle: 'pools', act: 'add', filter, value },
    });
    return fc
      .constantFrom(...tokens)
      .map((token): PoolCommand[] => [
        add('chainId', chainId),
        add('protocol', protocol),
        add('tokens', token),
        { cycle: 'pools', act: 'remove', filter: 'protocol' },
        { cycle: 'pools', act: 'remove', filter: 'chainId' },
      ]);
  });
}

/** Any walk through the filters that one pool passes. */
export function poolCommands(world: LifeCycleWorld): Commands<PoolCommand> {
  return poolFilters(world, ({ chainId, protocol, tokens }) => {
    const values = { chainId: [chainId], protocol: [protocol], tokens };
    const step = fc.constantFrom<PoolFilter[]>('chainId', 'protocol', 'tokens').chain((filter) =>
      fc.oneof<fc.Arbitrary<PoolCommand>[]>(
        fc.constantFrom(...values[filter]).map((value) => ({
          ...{ cycle: 'pools', act: 'add', filter, value },
        })),
        fc.constant({ cycle: 'pools', act: 'remove', filter }),
      ),
    );
    return fc.array(step, { minLength: 1, maxLength: world.longest ?? LONGEST, size: 'max' });
  });
}

interface PassedFilters {
  readonly chainId: string;
  readonly protocol: string;
  /** One token, another, and both. */
  readonly tokens: readonly string[];
}

/** The filters that some pool passes. */
function poolFilters(
  { pools }: LifeCycleWorld,
  walk: (filters: PassedFilters) => Commands<PoolCommand>,
): Commands<PoolCommand> {
  const passed = pools.flatMap(({ chainId, protocol, tokens }): PassedFilters[] => {
    const [first, second] = tokens.filter(isEvmAddress);
    if (first === undefined || second === undefined || protocol === '') return [];
    return [{ chainId: String(chainId), protocol, tokens: [first, second, `${first},${second}`] }];
  });
  return passed.length === 0 ? fc.constant([]) : fc.constantFrom(...passed).chain(walk);
}

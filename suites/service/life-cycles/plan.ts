/** Long because the stories of keys, credentials and filters are made from the same world. */

import fc from 'fast-check';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import { QuotesForm } from '../session/quotes-form.ts';
import type { LearnedPool } from '../session/world.ts';
import type { AgentAuthForms } from './agent-auth-forms.ts';
import type {
  Command,
  CredentialCommand,
  IdempotencyCommand,
  JsonBody,
  KeyedRequest,
  PoolCommand,
  PoolFilter,
} from './commands.ts';

/** What commands are made from: what the target listed and served. */
export interface LifeCycleWorld {
  /** Bodies of zap requests that were served. */
  readonly zapBodies: readonly JsonBody[];
  /** Bodies of trade builds that were served. */
  readonly tradeBodies: readonly JsonBody[];
  readonly pools: readonly LearnedPool[];
  /** In which form trade quotes are asked for; the first when absent. */
  readonly quotesForm?: QuotesForm;
  /** Commands of one random sequence at most; 12 when absent. */
  readonly longest?: number;
  /** How credentials are asked for; absent where none may be. */
  readonly forms?: AgentAuthForms;
}

/** Waiting longer for an approval keeps a person waiting who looks at the run. */
const PATIENCE_MS = 3_000;
/** Commands of one random sequence. */
const LONGEST = 12;

const digits = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789')),
  minLength: 40,
  maxLength: 40,
});
const address = digits.map((text) => `0x${text}`);
const key = fc.uuid({ version: 4 });

/** Commands of one cycle; none where the world has nothing to make them from. */
export type Commands<C extends Command = Command> = fc.Arbitrary<readonly C[]>;

/**
 * The shortest sequence about Idempotency-Key that is evidence for each of its rules: one key used,
 * used again twice, then with another body; another key twice at the same time.
 */
export function keyStory(
  world: LifeCycleWorld,
  api: 'zap' | 'trade',
): Commands<IdempotencyCommand> {
  const requests = requestsOf(world, api).filter(({ path }) => path === '/v1/buildTx');
  if (requests.length === 0) return fc.constant([]);
  return fc
    .record({ request: fc.constantFrom(...requests), used: key, twin: key, address })
    .map(({ request, used, twin, address: recipient }): IdempotencyCommand[] => [
      send(used, request),
      send(used, request),
      send(used, request),
      send(used, withRecipient(request, recipient)),
      { cycle: 'idempotency', act: 'twins', key: twin, request },
    ]);
}

/** Any sequence about Idempotency-Key: a few keys and requests, in any order. */
export function keyCommands(
  world: LifeCycleWorld,
  api: 'zap' | 'trade',
): Commands<IdempotencyCommand> {
  const requests = requestsOf(world, api);
  if (requests.length === 0) return fc.constant([]);
  const some = fc.record({
    keys: fc.uniqueArray(key, { minLength: 2, maxLength: 3 }),
    request: fc.constantFrom(...requests),
    address,
  });
  return some.chain(({ keys, request, address: recipient }) => {
    const alike = requests.filter(({ path }) => path !== request.path).slice(0, 1);
    const among = [request, request, withRecipient(request, recipient), ...alike];
    const one = fc.record({
      cycle: fc.constant('idempotency' as const),
      act: fc.constantFrom('send' as const, 'send' as const, 'send' as const, 'twins' as const),
      key: fc.constantFrom(...keys),
      request: fc.constantFrom(...among),
    });
    return fc.array(one, { minLength: 1, maxLength: world.longest ?? LONGEST, size: 'max' });
  });
}

function send(used: string, request: KeyedRequest): IdempotencyCommand {
  return { cycle: 'idempotency', act: 'send', key: used, request };
}

/** Every body at every endpoint that takes it; only those whose recipient can be changed. */
function requestsOf(
  { zapBodies, tradeBodies, quotesForm = new QuotesForm() }: LifeCycleWorld,
  api: 'zap' | 'trade',
): KeyedRequest[] {
  if (api === 'zap') {
    return zapBodies
      .filter(({ recipient }) => isEvmAddress(recipient))
      .flatMap((json): KeyedRequest[] => [
        { api, path: '/v1/buildTx', json },
        { api, path: '/v1/quote', json },
      ]);
  }
  return tradeBodies.filter(hasRecipient).flatMap((json): KeyedRequest[] => {
    const { fromChain, sender, data } = json;
    const quotes = quotesForm.bodyOf({ fromChain, sender, data });
    return [
      { api, path: '/v1/buildTx', json },
      { api, path: '/v1/quotes', json: quotes },
    ];
  });
}

function hasRecipient({ data }: JsonBody): boolean {
  const [entry] = listOf(data);
  return isObject(entry) && isEvmAddress(entry.recipient);
}

/** The same request to the profit of another: nothing that an answer has to repeat. */
function withRecipient(request: KeyedRequest, recipient: string): KeyedRequest {
  const { json, api } = request;
  if (api === 'zap') return { ...request, json: { ...json, recipient } };
  const data = listOf(json.data).map((entry) =>
    isObject(entry) ? { ...entry, recipient } : entry,
  );
  return { ...request, json: { ...json, data } };
}

const credential = <C extends Omit<CredentialCommand, 'cycle'>>(
  command: C,
): C & { readonly cycle: 'credential' } => ({ cycle: 'credential', ...command });

/** Registers two keys, and asks for one before there can have been an approval. */
export function registrations(forms: AgentAuthForms): readonly CredentialCommand[] {
  return [
    credential({ act: 'register', slot: 0, forms }),
    credential({ act: 'register', slot: 1, forms }),
    credential({ act: 'claim', slot: 0, patienceMs: 0 }),
  ];
}

/**
 * The shortest life of two keys that is evidence for each of its rules: both claimed, one once more,
 * used; then the other revoked, both used, revoked again and used again.
 */
export function keyLives(world: LifeCycleWorld): Commands<CredentialCommand> {
  const uses = world.tradeBodies.length === 0 ? [{}] : world.tradeBodies;
  return fc.record({ json: fc.constantFrom(...uses), madeUp: key }).map(({ json, madeUp }) => {
    const use = (slot: number): CredentialCommand[] =>
      world.tradeBodies.length === 0 ? [] : [credential({ act: 'use', slot, json })];
    const useLike = use(0).map(() => credential({ act: 'use-like', slot: 0, json }));
    const revoke = credential({ act: 'revoke', slot: 1 });
    const claim = (slot: number): CredentialCommand =>
      credential({ act: 'claim', slot, patienceMs: PATIENCE_MS });
    const unknown = credential({ act: 'claim-unknown', slot: 0, madeUp: unknownClaim(madeUp) });
    return [
      ...[claim(0), claim(1), claim(0), unknown, ...use(0), ...useLike],
      ...[revoke, ...use(1), ...use(0), revoke, ...use(1)],
    ];
  });
}

/** Any life of a few keys. */
export function credentialCommands(world: LifeCycleWorld): Commands<CredentialCommand> {
  const { forms, tradeBodies } = world;
  if (forms === undefined) return fc.constant([]);
  const slot = fc.constantFrom(0, 1);
  const uses = tradeBodies.map((json) =>
    slot.map((number) => credential({ act: 'use', slot: number, json })),
  );
  const step = fc.oneof<fc.Arbitrary<CredentialCommand>[]>(
    slot.map((number) => credential({ act: 'claim', slot: number, patienceMs: PATIENCE_MS })),
    fc
      .record({ slot, madeUp: key })
      .map(({ slot: number, madeUp }) =>
        credential({ act: 'claim-unknown', slot: number, madeUp: unknownClaim(madeUp) }),
      ),
    slot.map((number) => credential({ act: 'revoke', slot: number })),
    ...uses.slice(0, 3),
  );
  const steps = fc.array(step, { minLength: 1, maxLength: world.longest ?? LONGEST, size: 'max' });
  const registered = [0, 1].map((number) => credential({ act: 'register', slot: number, forms }));
  return steps.map((some) => [...registered, ...some]);
}

function unknownClaim(madeUp: string): string {
  return `assay-no-such-claim-${madeUp}`;
}

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

/** Any sequence of any one cycle, as far as the world has what it needs. */
export function commandsArbitrary(world: LifeCycleWorld): Commands {
  return fc.oneof<Commands[]>(
    keyCommands(world, 'zap'),
    keyCommands(world, 'trade'),
    credentialCommands(world),
    poolCommands(world),
  );
}

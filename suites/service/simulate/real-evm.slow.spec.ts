import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SlotValues } from '../../../contracts/service/rules/simulated/requests.ts';
import { addressKey } from '../../../contracts/wire/addresses.ts';
import { balanceOf } from '../../../contracts/service/rules/simulated/plan.ts';
import { createSystemClock } from '../../../target/budget/clock.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { createNodes } from '../../../target/rpc/nodes.ts';
import {
  createUndiciTransport,
  type UndiciTransport,
} from '../../../target/transport/undici-transport.ts';
import { type Anvil, HAS_ANVIL, startAnvil } from '../../../fixtures/service/evm/anvil.testkit.ts';
import { compileContracts } from '../../../fixtures/service/evm/compile.testkit.ts';
import {
  COMPILED,
  LAYOUTS,
  placeChain,
  placeToken,
} from '../../../fixtures/service/evm/place-world.testkit.ts';
import type { Transport } from '../../../target/transport/transport.ts';
import { worldOf } from '../../../fixtures/service/reference/domain/build-world.ts';
import { buildsOf, type SimulatedRun, simulatedRun, verdictsOf } from './simulated-run.testkit.ts';
import { findSlots } from './slots.ts';

const CHAINS = [...worldOf(1).chains.values()].filter(({ kind }) => kind === 'evm');
const nodes = new Map<number, Anvil>();
let transport: UndiciTransport;

interface RpcRequest {
  readonly id: number;
  readonly method: string;
}

beforeAll(async () => {
  transport = createUndiciTransport();
  if (!HAS_ANVIL) return;
  await Promise.all(
    CHAINS.map(async (chain) => {
      const anvil = await startAnvil(chain.id);
      nodes.set(chain.id, anvil);
      await placeChain(anvil, chain);
    }),
  );
});

afterAll(async () => {
  await Promise.all([transport.close(), ...[...nodes.values()].map((anvil) => anvil.close())]);
});

// A chain that rests is judged less.
beforeEach(async () => {
  await Promise.all([...nodes.values()].map(({ call }) => call('evm_mine')));
});

/** Why builds were not executed to their end; of some chains a run has none. */
const failuresIn = ({ report }: SimulatedRun): string[] =>
  report.notices.filter(
    (one) => one.includes('chain') && !one.includes('no build of it was served'),
  );

const urls = (): Record<number, string> =>
  Object.fromEntries([...nodes].map(([chainId, { url }]) => [chainId, url]));

test('the contracts are what their source compiles to', () => {
  expect(compileContracts()).toStrictEqual(COMPILED);
});

describe.runIf(HAS_ANVIL)('balances are found and set', () => {
  const account = '0x1234567812345678123456781234567812345678';

  test.each(LAYOUTS.map((layout, at) => [layout, `0x${'7'.repeat(38)}${at + 10}`] as const))(
    'of a token laid out %s',
    async (layout, token) => {
      const [chainId = 0] = nodes.keys();
      const anvil = nodes.get(chainId);
      if (anvil === undefined) throw new Error('there is no node');
      await placeToken(anvil, token, layout);
      const [node] = createNodes({
        setting: { urls: urls(), ofService: false },
        ...{
          whyNotAsked: () => 'none is named',
          isLocal: true,
          maxSeconds: 600,
          clock: createSystemClock(),
        },
        transports: { any: transport, public: transport },
        redactor: createRedactor({}),
      }).ofChain(chainId, []);
      if (node === undefined) throw new Error('no node may be asked');
      const finder = await findSlots(node, token, account, 'latest');
      const found = await finder?.(account, 1_000_000n, 'latest');
      expect(await balanceWith(anvil, token, account, found ?? {})).toBeGreaterThanOrEqual(
        1_000_000n,
      );
    },
  );
});

async function balanceWith(
  { call }: Anvil,
  token: string,
  account: string,
  slots: SlotValues,
): Promise<bigint> {
  const state = Object.fromEntries(
    Object.entries(slots).map(([at, stateDiff]) => [at, { stateDiff }]),
  );
  const asked = { to: token, data: balanceOf(account) };
  return BigInt(String(await call('eth_call', asked, 'latest', state)));
}

describe.runIf(HAS_ANVIL)('a real EVM and the made-up chains agree on every build and rule', () => {
  const TAMPERED = [
    ...['zap-pays-the-account', 'zap-call-takes-what-nobody-has', 'zap-delivers-nine-tenths'],
    ...['zap-delivers-the-least', 'zap-takes-a-quarter-more', 'zap-names-another-spender'],
    ...['zap-of-native-coins-sends-none', 'zap-gas-of-bytes', 'zap-across-calls-nobody'],
    ...[
      'zap-mints-positions-for-another',
      'zap-takes-coins-beside',
      'zap-keeps-what-it-calls-dust',
    ],
    ...['zap-pays-nobody-who-was-named', 'trade-pays-nobody-who-was-named'],
    ...['trade-pays-the-sender', 'trade-delivers-nine-tenths', 'trade-takes-a-thousandth-more'],
    ...['trade-of-native-coins-sends-none', 'trade-gas-of-bytes', 'trade-takes-coins-beside'],
  ].map((id) => ({ kind: 'fault', id }) as const);

  test.each([{ kind: 'clean', id: '' } as const, ...TAMPERED])('$kind $id', async (specimen) => {
    const real = await simulatedRun(specimen, { urls: urls(), way: transport });
    const madeUp = await simulatedRun(specimen);
    expect(failuresIn(real)).toStrictEqual([]);
    expect(buildsOf(real).length).toBeGreaterThan(20);
    expect(buildsOf(real)).toStrictEqual(buildsOf(madeUp));
    expect(verdictsOf(real)).toStrictEqual(verdictsOf(madeUp));
    const found = real.results.some(({ findings }) => findings.length > 0);
    expect(found).toBe(specimen.kind === 'fault');
  });

  test('where the node has no eth_simulateV1', async () => {
    const way: Transport = (request) => {
      const asked = JSON.parse(Buffer.from(request.body ?? []).toString()) as RpcRequest;
      if (asked.method !== 'eth_simulateV1') return transport(request);
      const error = { code: -32_601, message: 'no such method' };
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
      return Promise.resolve({ kind: 'response', status: 200, headers: [], body });
    };
    const real = await simulatedRun({ kind: 'clean', id: '' }, { urls: urls(), way });
    const madeUp = await simulatedRun({ kind: 'variant', id: 'node-without-simulate' });
    expect(verdictsOf(real)).toStrictEqual(verdictsOf(madeUp));
    expect(verdictsOf(real)['zap.simulated.delivers-min-return']).toBe('pass');
  });
});

// Last, since the tokens of all chains are others then.
describe.runIf(HAS_ANVIL)('what a token does itself is not blamed on the service', () => {
  const LEAST = 'zap.simulated.delivers-min-return';
  const SPENT = 'zap.simulated.spends-at-most-amount';
  const SUCCEEDS = 'zap.simulated.succeeds';

  async function runOn(kind: string, id = ''): Promise<SimulatedRun> {
    for (const chain of CHAINS) {
      for (const [address, token] of chain.tokens) {
        if (token !== chain.native)
          await nodes.get(chain.id)?.call('anvil_setCode', addressKey(address), COMPILED[kind]);
      }
    }
    const specimen =
      id === '' ? ({ kind: 'clean', id } as const) : ({ kind: 'fault', id } as const);
    return simulatedRun(specimen, { urls: urls(), way: transport });
  }
  const brokenIn = ({ results }: SimulatedRun): string[] =>
    results.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule.id);

  test.each<[string, Record<string, string>, RegExp | undefined]>([
    ['AboveFlag', { [SUCCEEDS]: 'pass', [SPENT]: 'pass' }, undefined],
    ['PartlyLocked', {}, /a plain transfer of the token 0x\w+ to 0x\w+ moves nothing/],
    ['OfKnownSenders', {}, /moves nothing \(.*the sender is not registered/],
    ['OfKnownReceivers', {}, /moves nothing \(.*the receiver is not registered/],
    ['KeepsSome', { [SUCCEEDS]: 'pass' }, undefined],
    ['TakesMore', { [SUCCEEDS]: 'pass', [LEAST]: 'pass' }, undefined],
  ])('a token that is %s', async (kind, verdicts, notice) => {
    const run = await runOn(kind);
    expect(brokenIn(run)).toStrictEqual([]);
    expect(verdictsOf(run)).toMatchObject(verdicts);
    expect(failuresIn(run).join()).toMatch(notice ?? /^$/);
  });

  test.each([
    ['KeepsSome', 'zap-delivers-nine-tenths', LEAST],
    ['TakesMore', 'zap-takes-a-quarter-more', SPENT],
  ])('what goes beyond it is: %s, %s', async (kind, fault, rule) => {
    expect(brokenIn(await runOn(kind, fault))).toContain(rule);
  });
});

import { expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { DOCUMENT } from '../../../contracts/service/index.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import { failed, type Transport } from '../../../target/transport/transport.ts';
import { simulatedRun, verdictsOf } from './simulated-run.testkit.ts';

const CLEAN = { kind: 'clean', id: '' } as const;

test('the embedded service passes all rules on simulated builds, and its record says the same again', async () => {
  const { results, exchanges, report } = await simulatedRun(CLEAN);
  const verdicts = results.map(({ rule, verdict }) => [rule.id, verdict]);
  expect(verdicts).toStrictEqual(verdicts.map(([id]) => [id, 'pass']));
  expect(verdicts).toHaveLength(15);
  expect(report.notices.filter((notice) => notice.includes('chain'))).toStrictEqual([]);
  const rules = RULES.filter(({ id }) => id.includes('.simulated.'));
  const lines = exchanges.map((exchange) => JSON.stringify(exchange));
  const contract = await loadContract();
  const again = judge(
    rules,
    contract,
    lines.map((line) => JSON.parse(line) as (typeof exchanges)[0]),
  );
  expect(JSON.stringify(again)).toBe(JSON.stringify(results));

  const simulations = DOCUMENT.createSimulations?.();
  for (const exchange of exchanges) simulations?.see(exchange, contract);
  const rows = simulations?.rows() ?? [];
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.every(({ node, result }) => node === 'service' && result === 'succeeded')).toBe(true);
  expect(rows.flatMap(({ changes }) => changes).every(({ isKept }) => isKept)).toBe(true);
});

test.each([
  ['tokens-that-take-a-fee', 'pass'],
  ['tokens-that-grow', 'pass'],
  ['tokens-that-are-wrapped', 'pass'],
  ['fees-on-top-of-amounts', 'pass'],
  ['fees-in-native-coins', 'pass'],
  ['approvals-without-bound', 'pass'],
  ['node-that-reverts-at-times', 'pass'],
  ['node-that-errs-once', 'inconclusive'],
  ['dust-that-comes-back', 'pass'],
  ['orders-filled-later', 'inconclusive'],
  ['outputs-that-are-locked', 'inconclusive'],
  ['pools-of-known-holders', 'pass'],
  ['node-without-calls', 'not-reached'],
])('of the variant %s no rule is broken: deliveries %s', async (id, verdict) => {
  const run = await simulatedRun({ kind: 'variant', id });
  expect(verdictsOf(run)['zap.simulated.delivers-min-return']).toBe(verdict);
  expect(run.results.flatMap(({ findings }) => findings)).toStrictEqual([]);
});

test('what one build of three shows does not count, and is reported', async () => {
  const { report } = await simulatedRun({ kind: 'variant', id: 'node-that-errs-once' });
  expect(report.notices.join()).toMatch(
    /fewer than two builds of the same zap request broke zap\.simulated\.delivers-min-return, so that it does not count \(1\): the first was \d+, and 0 arrived\./,
  );
});

test('builds that fail for a reason that may be of others leave open whether builds succeed', async () => {
  const { report, results } = await simulatedRun({ kind: 'variant', id: 'pools-of-known-holders' });
  for (const api of ['zap', 'trade'] as const) {
    const succeeds = results.find(({ rule }) => rule.id === `${api}.simulated.succeeds`);
    expect(succeeds?.verdict).toBe('inconclusive');
    expect(succeeds?.reason).toMatch(/^of \d+ builds that were executed, \d+ did not decide it/);
    expect(report.notices.join()).toMatch(
      new RegExp(
        `executed ${api} builds fail, and whose doing it is remains open: this may be a refusal of people .*\\(it fails: .*the holder is not registered\\) \\(\\d+\\)`,
      ),
    );
  }
});

test('a build of which nothing arrives anywhere is reported as one that may be filled later', async () => {
  const { report, results } = await simulatedRun({ kind: 'variant', id: 'orders-filled-later' });
  expect(report.notices.join()).toMatch(
    /builds on chain \d+ were simulated to the end: nobody was seen to get any of what is to arrive/,
  );
  const least = results.find(({ rule }) => rule.id === 'trade.simulated.delivers-min-return');
  expect(least?.reason).toMatch(/^of \d+ builds that were executed, \d+ did not decide it/);
});

test('a build whose output somebody else holds for minutes is reported with who that is', async () => {
  const { report } = await simulatedRun({ kind: 'variant', id: 'outputs-that-are-locked' });
  expect(report.notices.join()).toMatch(
    /nothing of what is to arrive arrived, and 0x[0-9a-f]{40} got some, which may pay it out later, or never/,
  );
  const chains = report.notices.flatMap((one) => /chain (\d+) .* got some/.exec(one)?.[1] ?? []);
  expect(chains).toHaveLength(new Set(chains).size);
});

test('a finding of too little names who got the rest', async () => {
  const { results } = await simulatedRun({ kind: 'fault', id: 'zap-pays-nobody-who-was-named' });
  const least = results.find(({ rule }) => rule.id === 'zap.simulated.delivers-min-return');
  expect(least?.findings[0]?.actual).toMatch(/^\d+, and 0 arrived; 0x[0-9a-f]{40} got \d+ \(/);
});

test.each([
  ['zap-pays-nobody-who-was-named', 'zap.simulated.delivers-min-return'],
  ['trade-pays-nobody-who-was-named', 'trade.simulated.delivers-min-return'],
  ['zap-of-the-account-for-itself-pays-another', 'zap.simulated.delivers-min-return'],
  ['zap-delivers-nine-tenths-at-times', 'zap.simulated.delivers-min-return'],
  ['zap-delivers-nine-tenths-each-third-time', 'zap.simulated.delivers-min-return'],
  ['trade-of-native-coins-takes-thrice', 'trade.simulated.spends-at-most-amount'],
  ['zap-wants-twice-approved', 'zap.simulated.succeeds'],
])('of the fault %s the rule %s is broken, as a node of a chain shows', async (id, rule) => {
  const result = (await simulatedRun({ kind: 'fault', id })).results.find(
    (one) => one.rule.id === rule,
  );
  expect(result?.verdict).toBe('fail');
  expect(result?.findings[0]?.actual).toMatch(
    / \(executed on a node that the service names for chain \d+\)$/,
  );
});

test.each([
  ['zap-of-tokens-takes-a-coin-and-states-none', 'zap.simulated.spends-no-coins-beside'],
  ['zap-keeps-what-it-calls-dust', 'zap.simulated.delivers-quoted'],
])('of the fault %s there is a warning of the rule %s', async (id, rule) => {
  expect(verdictsOf(await simulatedRun({ kind: 'fault', id }))[rule]).toBe('warn');
});

test('where a signature is needed for all tokens, it is said that nothing of them was simulated', async () => {
  const { report, results } = await simulatedRun({ kind: 'variant', id: 'approval-to-permit2' });
  expect(results.flatMap(({ findings }) => findings)).toStrictEqual([]);
  expect(report.notices.join()).toMatch(
    /No zap build on chain \d+ was simulated: none .* no signature/,
  );
});

test('a node without eth_simulateV1 is asked by eth_call alone, which shows deliveries but no gas', async () => {
  const run = await simulatedRun({ kind: 'variant', id: 'node-without-simulate' });
  const { 'zap.simulated.delivers-min-return': least, 'zap.simulated.gas-suffices': gas } =
    verdictsOf(run);
  expect([least, gas]).toStrictEqual(['pass', 'not-reached']);
  expect(run.report.notices.join()).toMatch(
    /Not all zap builds on chain 8453 were simulated to the end: eth_call alone was answered, which says nothing of gas \(-32601 .* does not exist\) \((?:[2-9]|1\d)\)/,
  );
});

test('each build that is left out is counted with its reason', async () => {
  const elsewhere = 'http://127.0.0.1:9/';
  const way: Transport = () => Promise.resolve(failed('connect', 'nobody is there'));
  const { report } = await simulatedRun(CLEAN, { urls: { 8453: elsewhere, 99: elsewhere }, way });
  const notices = report.notices.filter((notice) => notice.includes('chain'));
  expect(notices).toContain(
    'No zap build on chain 99, whose node is named, was simulated: the service lists no such chain, as far as it lists any.',
  );
  expect(notices.join()).toMatch(
    /No zap build on chain 8453 was simulated: the node cannot be reached \(\d+\)/,
  );
});

test('of each chain whose node is named it is said what became of its builds', async () => {
  const elsewhere = 'http://127.0.0.1:9/';
  const way: Transport = () => Promise.resolve(failed('connect', 'nobody is there'));
  const chainIds = [1, 10, 56, 137, 8453, 42161, 99];
  const urls = Object.fromEntries(chainIds.map((chainId) => [chainId, elsewhere]));
  const notices = (await simulatedRun(CLEAN, { urls, way })).report.notices.join();
  const unsaid = (['zap', 'trade'] as const).flatMap((api) =>
    chainIds.filter((chainId) => !notices.includes(`${api} build on chain ${chainId}`)),
  );
  expect(unsaid).toStrictEqual([]);
});

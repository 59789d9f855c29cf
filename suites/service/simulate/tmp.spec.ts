import { expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import { createVirtualClock } from '../../../fixtures/target/budget/virtual-clock.ts';
import { SIMULATED_FAULTS } from '../../../fixtures/service/faults/simulated.ts';
import { partsNeededBy } from '../../drive/needed-stages.ts';
import { exploreInProcess } from '../../properties/in-process.ts';
import { TESTED } from '../self-test/tested.ts';

const contract = await loadContract();
const rules = RULES.filter(({ id }) => id.includes('.simulated.'));
const only = process.env.ONLY ?? '';
const seed = Number(process.env.SEED ?? '1');
test('faults', async () => {
  const cases = [{ kind: 'clean' as const, id: '', breaks: '' }, ...SIMULATED_FAULTS.map(({ id, breaks }) => ({ kind: 'fault' as const, id, breaks }))];
  for (const one of cases.filter(({ id }) => id.includes(only))) {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    let n = 1;
    const environment = { now: () => clock.nowMs(), randomUint32: () => (n = (n * 1103515245 + 12345) >>> 0) };
    const service = TESTED.create(one, { seed, environment });
    const judge = new Judge(rules, contract);
    await exploreInProcess({
      driven: TESTED.driven, service, contract, seed, clock, profile: 'gate', driveOnly: true, maxRequests: 1000, judge,
      onFound: () => undefined, simulates: true, ...{ needed: partsNeededBy(rules) },
    });
    const results = judge.results();
    const broken = results.filter(({ findings }) => findings.length > 0);
    const own = broken.some(({ rule }) => rule.id === one.breaks);
    const others = broken.filter(({ rule }) => rule.id !== one.breaks).map(({ rule }) => rule.id);
    console.log(own || one.id === '' ? 'ok  ' : 'MISS', one.id, others.length ? `ALSO ${others.join(' ')}` : '', JSON.stringify(broken[0]?.findings[0]?.actual), results.filter(({ verdict }) => verdict === 'not-reached').map(({ rule }) => rule.id).join());
  }
  expect(1).toBe(1);
}, 3_000_000);

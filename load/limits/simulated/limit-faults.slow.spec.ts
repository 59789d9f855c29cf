import { describe, expect, test } from 'vitest';
import { judge } from '../../../contracts/judging/judge.ts';
import { limitLedger } from '../../../contracts/service/observers/limit-ledger.ts';
import type { LimitMeasurement } from '../../../contracts/run/load/limit-measurement.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { rateLimitRules } from '../../../contracts/service/rules/limits/rate-limits.ts';
import { LIMIT_ODDITIES } from '../../../fixtures/service/faults/limits/limit-oddities.ts';
import { LIMIT_FAULTS } from '../../../fixtures/service/faults/limits/limits.ts';
import { LIMIT_VARIANTS } from '../../../fixtures/service/variants/limits/limits.ts';
import { probe, type Probed } from '../planner/scripted-probe.testkit.ts';

const contract = await loadContract();

/** Probes the buckets of an API; of both when none is named. */
async function probeAll(service: Probed, api?: string): Promise<readonly LimitMeasurement[]> {
  return [
    ...(api === 'trade' ? [] : [await probe(service, 'zap')]),
    ...(api === 'zap' ? [] : [await probe(service, 'trade'), await probe(service, 'trade', 'key')]),
  ];
}

/** The rules that found something, with what they found. */
function broken(measurements: readonly LimitMeasurement[]): Readonly<Record<string, string[]>> {
  const results = judge(rateLimitRules(measurements), contract, []);
  return Object.fromEntries(
    results
      .filter(({ findings }) => findings.length > 0)
      .map(({ rule, findings }) => [rule.id, findings.map(({ actual }) => actual)]),
  );
}

test('the reference service breaks no rule, and reaches all of them', async () => {
  const { FOUND_SOON } = await import('../../../fixtures/service/faults/limits/limit-kit.ts');
  const measured = await probeAll({ apply: (service) => service, options: FOUND_SOON });
  const results = judge(rateLimitRules(measured), contract, []);
  expect(
    results
      .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
      .map(({ rule }) => rule.id),
  ).toEqual([]);
  const zap = measured[0]?.waits.map(({ source, verdict }) => [source, verdict]);
  expect(zap).toEqual([
    ['body', 'honest'],
    ['retry-after', 'honest'],
    ['rate-limit-reset', 'honest'],
  ]);
});

describe('each fault of limits is caught by its own rule', () => {
  test.each(LIMIT_FAULTS)('$id breaks $breaks', async (fault) => {
    const found = broken(await probeAll(fault, fault.breaks.split('.')[0]));
    expect(Object.keys(found)).toContain(fault.breaks);
    const others = Object.keys(found).filter((id) => MUSTS.has(id) && id !== fault.breaks);
    expect(others.filter((id) => fault.alsoBreaks?.[id] === undefined)).toEqual([]);
  });
});

describe('each correct limit raises no alarm', () => {
  test.each(LIMIT_VARIANTS)('$id', async (variant) => {
    expect(broken(await probeAll(variant))).toEqual({});
  });
});

describe('each odd limit raises no alarm, and is told in the ledger', () => {
  test.each(LIMIT_ODDITIES)('$id', async (oddity) => {
    const measurements = await probeAll(oddity, 'zap');
    expect(broken(measurements)).toEqual({});
    const row = limitLedger(measurements).find(({ id }) => id === oddity.ledger);
    expect(row?.observed.join('\n')).toContain(oddity.says);
  });
});

test('every rule on limits that is no observation has two faults at least, one of them subtle', () => {
  const rules = rateLimitRules([])
    .filter(({ level }) => level !== 'observe')
    .map(({ id }) => id);
  const lacking = rules.filter((id) => {
    const own = LIMIT_FAULTS.filter(({ breaks }) => breaks === id);
    return own.length < 2 || !own.some(({ subtle }) => subtle);
  });
  expect(lacking).toEqual([]);
  expect(LIMIT_FAULTS.filter(({ breaks }) => !rules.includes(breaks))).toEqual([]);
});

const MUSTS = new Set(
  rateLimitRules([])
    .filter(({ level }) => level === 'must')
    .map(({ id }) => id),
);

import { describe, expect, test } from 'vitest';
import { judge, type RuleResult } from '../../contracts/judging/judge.ts';
import { limitLedger } from '../../contracts/service/observers/limit-ledger.ts';
import type { LimitMeasurement } from '../../contracts/run/load/limit-measurement.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { rateLimitRules } from '../../contracts/service/rules/limits/rate-limits.ts';
import { FOUND_SOON } from '../../fixtures/service/faults/limits/limit-kit.ts';
import { LIMIT_ODDITIES } from '../../fixtures/service/faults/limits/limit-oddities.ts';
import { LIMIT_FAULTS } from '../../fixtures/service/faults/limits/limits.ts';
import { LIMIT_VARIANTS } from '../../fixtures/service/variants/limits/limits.ts';
import { KEY, stage, type Staging } from './world.testkit.ts';

const contract = await loadContract();

/** What the probe itself measures, of both APIs or of one. */
async function measurements(
  service: Pick<Staging, 'apply' | 'options'>,
  only?: 'zap',
): Promise<LimitMeasurement[]> {
  const { limits } = await stage({
    ...service,
    target: {
      apis: only === undefined ? ['zap', 'trade'] : [only],
      keys: [{ name: 'ASSAY_TRADE_KEY', credential: { bearer: KEY, public: true } }],
      otherAddress: '127.0.0.2',
    },
  });
  return limits.map(({ measurement }) => measurement);
}

async function verdicts(...asked: Parameters<typeof measurements>): Promise<RuleResult[]> {
  return judge(rateLimitRules(await measurements(...asked)), contract, []);
}

async function broken(
  ...asked: Parameters<typeof measurements>
): Promise<Record<string, string[]>> {
  const found = (await verdicts(...asked)).filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    found.map(({ rule, findings }) => [rule.id, findings.map(({ actual }) => actual)]),
  );
}

test('the reference service breaks no rule, and reaches all of them', async () => {
  const results = await verdicts({ options: FOUND_SOON });
  const others = results.filter(({ verdict }) => verdict !== 'pass');
  expect(others.map(({ rule, verdict }) => [rule.id, verdict])).toEqual([]);
});

describe('each fault of limits is caught by its own rule', () => {
  test.each(LIMIT_FAULTS)('$id breaks $breaks', async (fault) => {
    const found = await broken(fault, fault.breaks.startsWith('zap.') ? 'zap' : undefined);
    expect(Object.keys(found)).toContain(fault.breaks);
  });
});

describe('each odd limit is told in the ledger', () => {
  test.each(LIMIT_ODDITIES)('$id', async (oddity) => {
    const limits = await measurements(oddity, 'zap');
    const row = limitLedger(limits).find(({ id }) => id === oddity.ledger);
    expect(row?.observed.join('\n')).toContain(oddity.says);
  });
});

describe('no correct limit raises an alarm', () => {
  test.each(LIMIT_VARIANTS)('$id', async (variant) => {
    expect(await broken(variant)).toEqual({});
  });

  // Oddities are of zap; what they do to trade is nobody's concern.
  test.each(LIMIT_ODDITIES)('$id', async (oddity) => {
    expect(await broken(oddity, 'zap')).toEqual({});
  });
});

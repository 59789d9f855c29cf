import { beforeAll, describe, expect, test } from 'vitest';
import { timesToHold } from '../../contracts/judging/chance/times-to-hold.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { Rate } from '../../contracts/run/run.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { thenOf } from './replay-of-found.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

describe('the rate by which a replay is sent', () => {
  const rate = { broken: 5, judged: 8 };
  const share = { broken: 5, judged: 77 };

  function rateAfter(times: number, rates: { rate?: Rate; share?: Rate }): Rate | undefined {
    const [rule] = RULES.filter(({ scope }) => scope === 'exchange');
    const finding = { pointer: '', expected: 'a', actual: 'b', exchanges: ['x1'], ...rates };
    const result = { rule, findings: [finding] } as unknown as RuleResult;
    const minimal = { reproducer: [], exchanges: [], reproduced: { times, of: 3, judged: 3 } };
    return thenOf({ contract } as never, result, minimal as never)?.rate;
  }

  test('is that of comparable requests while sendings do not say that it is of these alone', () => {
    expect(rateAfter(1, { rate, share })).toEqual(share);
    expect(timesToHold(share)).toBeGreaterThan(60);
    // So few sendings ask for more by themselves.
    expect(rateAfter(0, { rate, share })).toEqual({ broken: 1, judged: 7 });
  });

  test('is that of its requests if these show it again and again', () => {
    expect(rateAfter(2, { rate, share })).toEqual({ broken: 3, judged: 7 });
    expect(rateAfter(0, { rate })).toEqual({ broken: 1, judged: 7 });
    const steady = { rate: { broken: 3, judged: 3 }, share };
    expect(rateAfter(3, steady)).toEqual({ broken: 6, judged: 6 });
  });
});

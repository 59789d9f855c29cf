import { describe, expect, test } from 'vitest';
import type { RunComparison } from '../../contracts/run/run-comparison.ts';
import { EXAMPLE_COMPARISON } from '../comparison.testkit.ts';
import { renderComparison } from './terminal-comparison.ts';
import { painter } from './verdict-style.ts';

function shown(comparison: RunComparison, detail = 'short'): string {
  return renderComparison(comparison, { width: 100, paint: painter(false), detail });
}

describe('a comparison on the terminal', () => {
  test('begins with the whole in a sentence, and names every sort of difference', () => {
    const text = shown(EXAMPLE_COMPARISON);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'Against the baseline main of 2026-01-01 03:04: it differs; findings: 4 new, 1 fixed, 1 that nothing can be said of; 2 differences that a client would notice; 1 rule newly not reached; 40 requests sent and answered in both',
    );
    for (const words of [
      '? The seed is 42',
      '✗ zap.path.min-return-within-amount at /data of zap.quote: expected at most 1, was 2',
      'and 3 more',
      '✓ zap.asset.decimals at the response as a whole',
      '? zap.errors.duplicate-keys (waived) at /code',
      '! zap.pools: field /data/*/apr in answers 200 was string, is absent (9 of 9 requests)',
      '! zap.limits.values',
      '? zap.throttled.retry-after (1 rule): nothing shows it',
    ]) {
      expect(text).toContain(words);
    }
    // What chance explains is counted, and listed where all is.
    const verbose = shown(EXAMPLE_COMPARISON, 'verbose');
    for (const words of [
      '· zap.quote: status was 200, is 404 NO_ROUTE (1 of 20 requests)',
      '· zap.quote: p50 was 10.0 ms, now 30.0 ms',
    ]) {
      expect(text).not.toContain(words);
      expect(verbose).toContain(words);
    }
    expect(text).toContain('Differences that the service’s data may explain: 1, listed with');
    expect(shown(EXAMPLE_COMPARISON, 'quiet').split('\n').length).toBeLessThan(6);
  });

  test('of two runs without a finding, of other seeds, takes less than ten lines', () => {
    const { answers, findings, ledger } = EXAMPLE_COMPARISON;
    if (answers === undefined) throw new Error('the example has no answers');
    const none = { rows: [], more: 0 };
    const uncertain = <T extends { readonly grade: string }>(rows: readonly T[]): T[] =>
      Array.from({ length: 30 }, () => rows)
        .flat()
        .map((row) => ({ ...row, grade: 'uncertain' as const }));
    const text = shown({
      ...EXAMPLE_COMPARISON,
      verdict: 'same',
      findings: { ...findings, fresh: none, fixed: none, still: none, open: none },
      notReached: none,
      answers: { ...answers, changes: uncertain(answers.changes) },
      ledger: { rows: uncertain(ledger.rows), more: 0 },
    });
    expect(text).toContain('no difference that a client would notice');
    expect(text.trimEnd().split('\n').length).toBeLessThan(10);
  });

  test('of two targets asked at the same time says where a finding is, not what became of it', () => {
    const beside = { zap: 'http://127.0.0.1:2', trade: 'http://127.0.0.1:3' };
    const base = { ...EXAMPLE_COMPARISON.base, name: 'against', beside };
    const text = shown({ ...EXAMPLE_COMPARISON, base }).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'Against the baseline zap http://127.0.0.1:2, trade http://127.0.0.1:3, which does not conform (record against): it differs; findings: 4 in this target alone, 1 in the baseline alone,',
    );
    expect(text).toMatch(/Findings in this target alone ✗ .* Findings in the baseline alone ✓/);
    expect(text).not.toMatch(/New findings|fixed/);
  });

  test('reports once a header field that is gone from many operations', () => {
    const changes = ['zap.quote', 'zap.pools', 'trade.quotes'].map((operation) => ({
      ...({
        operation,
        aspect: 'header',
        answer: '200',
        what: 'ratelimit',
        grade: 'certain',
      } as const),
      ...{ then: 'present', now: null, requests: 9, of: 9 },
    }));
    const { answers } = EXAMPLE_COMPARISON;
    if (answers === undefined) throw new Error('the example has no answers');
    const text = shown({ ...EXAMPLE_COMPARISON, answers: { ...answers, changes } });
    expect(text.match(/header ratelimit/g)).toHaveLength(1);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('and so for 2 other operations');
  });

  test('does nothing to a terminal, and stays small, whatever a record says', () => {
    const evil = `\u001b[2J\u202e${'x'.repeat(1_000_000)}`;
    const [row] = EXAMPLE_COMPARISON.findings.fresh.rows;
    if (row === undefined) throw new Error('the example has no new finding');
    const text = shown({
      ...EXAMPLE_COMPARISON,
      base: { ...EXAMPLE_COMPARISON.base, name: evil },
      findings: {
        ...EXAMPLE_COMPARISON.findings,
        fresh: { rows: [{ ...row, pointer: `/${evil}`, actual: evil, expected: evil }], more: 0 },
      },
      ledger: {
        rows: [{ id: evil, clause: evil, came: [evil], went: [evil], grade: 'certain' }],
        more: 0,
      },
    });
    expect(['\u001b', '\u202e'].filter((control) => text.includes(control))).toEqual([]);
    expect(text.length).toBeLessThan(10_000);
  });
});

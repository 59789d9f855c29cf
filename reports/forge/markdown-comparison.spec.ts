import { describe, expect, test } from 'vitest';
import { EXAMPLE_COMPARISON } from '../comparison.testkit.ts';
import { EXAMPLE_RUN } from '../example-run.testkit.ts';
import { comparisonBlocks } from './markdown-comparison.ts';

describe('a baseline in Markdown', () => {
  test('is a heading with the whole, and a list for each sort of difference', () => {
    const [head, ...lists] = comparisonBlocks({ ...EXAMPLE_RUN, baseline: EXAMPLE_COMPARISON });
    expect(head).toContain('### Against the baseline main of');
    const all = lists.join('\n');
    for (const words of ['- ✗ zap.path', '- and 3 more', '- ✓ zap.asset', '- ! zap.pools: field']) {
      expect(all).toContain(words);
    }
    expect(comparisonBlocks(EXAMPLE_RUN)).toEqual([]);
  });

  test('holds no markup of the service', () => {
    const evil = '</ul><script>`x` [a](http://a.test) | ::error::';
    const [row] = EXAMPLE_COMPARISON.findings.fresh.rows;
    if (row === undefined) throw new Error('the example has no new finding');
    const fresh = { rows: [{ ...row, actual: evil, pointer: `/${evil}` }], more: 0 };
    const baseline = {
      ...EXAMPLE_COMPARISON,
      findings: { ...EXAMPLE_COMPARISON.findings, fresh },
    };
    const text = comparisonBlocks({ ...EXAMPLE_RUN, baseline }).join('\n');
    expect(text).not.toMatch(/(?<!\\)<script|(?<!\\)\[a/);
    expect(text).toContain('script');
  });
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { fingerprintOf } from '../contracts/compare/fingerprint.ts';
import { omit } from '../contracts/wire/json.ts';
import type { RunFinding, RunJson } from '../contracts/run/run.ts';
import type { ComparedFinding } from '../contracts/run/run-comparison.ts';
import { renderAnnotations } from './forge/annotations.ts';
import { renderCodeQuality } from './forge/code-quality.ts';
import { EXAMPLE_COMPARISON } from './comparison.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { renderJUnit } from './junit/junit.ts';
import { renderMarkdown } from './forge/markdown.ts';
import { NOWHERE } from './forge/placing.ts';
import { sourceOf } from './source.testkit.ts';
import { workflowCommands } from './forge/workflow-commands.testkit.ts';

const finding = (pointer: string): RunFinding => ({
  ...{ operation: 'zap.quote', pointer, expected: 'x', actual: 'y' },
  ...{ exchanges: ['x1'], curl: 'c', count: 1 },
});

function compared(rule: string, pointer: string): ComparedFinding {
  const [first] = EXAMPLE_COMPARISON.findings.fresh.rows;
  if (first === undefined) throw new Error('the example has no new finding');
  return { ...first, rule, pointer, fingerprint: fingerprintOf(rule, finding(pointer)) };
}

/** Three rules, of which the baseline has the first whole and the second in one of two places. */
const RUN: RunJson = {
  ...EXAMPLE_RUN,
  rules: [
    ruleRow({ id: 'zap.a-old', verdict: 'fail', findings: [finding('/old')] }),
    ruleRow({ id: 'zap.b-both', verdict: 'fail', findings: [finding('/old'), finding('/new')] }),
    ruleRow({ id: 'zap.c-open', verdict: 'fail', findings: [finding('/open')] }),
  ],
  baseline: {
    ...EXAMPLE_COMPARISON,
    findings: {
      fixed: { rows: [], more: 0 },
      fresh: { rows: [compared('zap.b-both', '/new')], more: 0 },
      still: { rows: [compared('zap.a-old', '/old'), compared('zap.b-both', '/old')], more: 0 },
      open: { rows: [compared('zap.c-open', '/open')], more: 0 },
    },
  },
};
const ALONE = omit(RUN, 'baseline') as RunJson;
const WORDS = /baseline/i;

test('annotations put first what is new, say what is, and stand on the place that is', () => {
  const all = workflowCommands(renderAnnotations([sourceOf(RUN)], NOWHERE));
  expect(all.map(({ properties: { title } }) => title)).toEqual([
    'zap.b-both',
    'zap.c-open',
    'zap.a-old',
  ]);
  const [both, open, old] = all.map(({ data }) => data);
  expect(both).toMatch(
    /^at \/new of zap\.quote: [^]*\nNew since the baseline\.\nIt is broken in 1 more/,
  );
  expect(open).toContain('\nWhether it is new since the baseline is not known.');
  expect(old).toContain('\nIn the baseline as well.');
  expect(renderAnnotations([sourceOf(ALONE)], NOWHERE)).not.toMatch(WORDS);
});

test('code quality says it of each finding, whose fingerprint is the same with and without', () => {
  const rows = (run: RunJson): { description: string; fingerprint: string }[] =>
    JSON.parse(renderCodeQuality([sourceOf(run)], NOWHERE)) as never;
  expect(rows(RUN).map(({ description }) => /\(([^)]*)\)$/.exec(description)?.[1])).toEqual([
    'in the baseline as well',
    'in the baseline as well',
    'new since the baseline',
    'whether it is new since the baseline is not known',
  ]);
  expect(JSON.stringify(rows(ALONE))).not.toMatch(WORDS);
  const prints = (run: RunJson): string[] => rows(run).map(({ fingerprint }) => fingerprint);
  expect(prints(RUN)).toEqual(prints(ALONE));
});

test('Markdown says it of each rule that is broken', () => {
  const heads = [...renderMarkdown([sourceOf(RUN)]).matchAll(/<summary>(.*)<\/summary>/g)];
  expect(heads.map(([, head]) => head?.replaceAll(/<[^>]*>/g, ''))).toEqual([
    expect.stringMatching(/zap\.a-old, in the baseline as well: old was y$/),
    expect.stringMatching(/zap\.b-both, new since the baseline: old was y$/),
    expect.stringMatching(
      /zap\.c-open, whether it is new since the baseline is not known: open was y$/,
    ),
  ]);
  expect(renderMarkdown([sourceOf(ALONE)])).not.toMatch(WORDS);
});

test('JUnit says it in messages and of each finding, and stays valid by its schema', async () => {
  const xml = renderJUnit(RUN);
  expect(xml).toContain('message="new since the baseline: expected x, was y"');
  expect(xml).toContain('message="in the baseline as well: expected x, was y"');
  expect(xml.match(/^since {4}.*$/gm)).toEqual([
    'since    in the baseline as well',
    'since    in the baseline as well',
    'since    new since the baseline',
    'since    whether it is new since the baseline is not known',
  ]);
  expect(xml).toMatch(/<property name="baseline" value="Against the baseline main of 2026-01-01/);
  expect(renderJUnit(ALONE)).not.toMatch(WORDS);
  const schema = readFileSync(new URL('junit/junit-10.testkit.xsd', import.meta.url), 'utf8');
  const { errors } = await validateXML({ xml, schema });
  expect(errors).toEqual([]);
});

import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import { MAX_MARKDOWN_BYTES, renderMarkdown } from './markdown.ts';
import { codeSpan, plainWords } from './markdown-text.ts';
import type { ReportSource } from '../source.ts';

const sourceOf = (run: RunJson, name = 'run'): ReportSource => ({
  ...{ run, name },
  exchanges: new Map(),
  leftOut: 0,
});
const rendered = (...runs: readonly RunJson[]): string =>
  renderMarkdown(runs.map((run, at) => sourceOf(run, `run-${at}`)));
const firstLine = (...runs: readonly RunJson[]): string => rendered(...runs).split('\n')[0] ?? '';

/** As GitHub reads it: HTML, tables, and links of bare addresses that begin with their scheme. */
const parser = new MarkdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false });
function tokensOf(markdown: string): Token[] {
  return parser.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
}
/** The structure of a page: what it is made of, without texts. */
const shapeOf = (markdown: string): string[] =>
  tokensOf(markdown)
    .map(({ type }) => type)
    .filter((type) => !['text', 'text_special', 'em_open', 'em_close'].includes(type));
const OWN_HTML =
  /^<details(?: open)?><summary>[^<>]*(?:<code>[^<>]*<\/code>[^<>]*){0,2}<\/summary>\n$|^<\/details>\n?$/;

describe('the first line says what broke', () => {
  test('a rule, the cause before others', () => {
    expect(firstLine(EXAMPLE_RUN)).toBe(
      '## ✗ zap.path.min-return-within-amount broken: minReturn was "1000000000000000001"',
    );
  });

  test('a threshold of load, if no rule broke', () => {
    const run: RunJson = {
      ...EXAMPLE_RUN,
      outcome: 'conforms',
      rules: [ruleRow()],
      load: EXAMPLE_LOAD,
    };
    expect(firstLine(run)).toMatch(/^## ✗ threshold violations==0 .*broken/);
    const thresholds = [{ expression: 'slower<=0', held: false }];
    const open = { ...run, load: { ...EXAMPLE_LOAD, thresholds } };
    expect(firstLine(open)).toMatch(/^## \? undecided: whether load became slower is not known/);
    expect(rendered(open)).toContain('- ? `slower<=0`: nothing was measured');
  });

  test('errors of load stand with operation, reason, share and time', () => {
    const text = rendered({ ...EXAMPLE_RUN, load: EXAMPLE_LOAD });
    expect(text).toMatch(/^- zap.*quote answered 503: 8 of 130 .*6.*2 %.*, 10.*1 s to 17.*9 s$/m);
  });

  test('of several runs the one that does not conform', () => {
    const good: RunJson = { ...EXAMPLE_RUN, outcome: 'conforms', rules: [ruleRow()] };
    expect(firstLine(good)).toBe('## ✓ conforms: 1 of 1 rule passes');
    expect(firstLine(good, EXAMPLE_RUN)).toMatch(/^## ✗ /);
    expect(rendered(good, EXAMPLE_RUN)).toContain('run `run-0`');
  });

  test('why nothing was decided, and that a run is partial', () => {
    const run: RunJson = {
      ...EXAMPLE_RUN,
      outcome: 'undecided',
      complete: false,
      rules: [],
      notices: ['The run did not come to its end.'],
    };
    expect(firstLine(run)).toBe('## ? undecided: The run did not come to its end (partial)');
    expect(firstLine({ ...run, failure: 'out of ink' })).toMatch(/^## \? Assay itself failed/);
  });
});

test('names findings with their requests and how to show them again', () => {
  const page = rendered(EXAMPLE_RUN);
  const fences = tokensOf(page).filter(({ type }) => type === 'fence');
  const [rule] = EXAMPLE_RUN.rules.filter(({ verdict }) => verdict === 'fail');
  const contents = fences.map(({ content }) => content);
  expect(contents).toContain(`${rule?.counterexample?.curl[0] ?? ''}\n`);
  expect(contents).toContain(
    'assay check --seed 42 --replay zap.path.min-return-within-amount@drive:17\n',
  );
  expect(page).toContain('`/data/path/0/output/0/minReturn`');
  expect(page).toContain('seen at 12 places; 412 exchanges or groups judged, first in `x00017`');
});

describe('hostile text is nothing but text', () => {
  const plain = shapeOf(rendered(hostileRun('plain')));

  test.each(Object.entries(HOSTILE_TEXTS))('%s', (_, text) => {
    const page = rendered(hostileRun(text));
    const tokens = tokensOf(page);
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_MARKDOWN_BYTES);
    // Half a character would be another one once it is written.
    expect(Buffer.from(page).toString()).toBe(page);
    const html = tokens.filter(({ type }) => type.startsWith('html'));
    expect(html.filter(({ content }) => !OWN_HTML.test(content))).toEqual([]);
    expect(tokens.filter(({ type }) => ['link_open', 'image'].includes(type))).toEqual([]);
    expect(page).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    if (text.length < 1_000) expect(shapeOf(page)).toEqual(plain);
  });

  test('of any kind, as words and as code', () => {
    const pieces = fc.constantFrom(
      ...Array.from('`*_[]()<>&~|#!@\\ \n-+=1.:/$'),
      ...['www.', 'http://x.invalid'],
    );
    const texts = fc.array(fc.oneof(pieces, fc.string()), { minLength: 1 });
    fc.assert(
      fc.property(
        texts.map((parts) => parts.join('')),
        (text) => {
          const words = tokensOf(`- a: ${plainWords(text)}`).map(({ type }) => type);
          const own = ['bullet_list', 'list_item', 'paragraph'].flatMap((name) => [
            `${name}_open`,
            `${name}_close`,
          ]);
          const others = words.filter(
            (type) => ![...own, 'inline', 'text', 'text_special'].includes(type),
          );
          expect(others).toEqual([]);
          const spans = tokensOf(`a ${codeSpan(text)} b`).filter(({ type }) =>
            ['code_inline', 'em_open'].includes(type),
          );
          expect(spans).toHaveLength(1);
        },
      ),
      { numRuns: 300, examples: [['//0.+'], ['a://0.x']] },
    );
  });
});

test('a page that would be too large says what it leaves out, and stays whole', () => {
  const [, broken] = EXAMPLE_RUN.rules;
  const rules = Array.from({ length: 400 }, (_, at) => ({
    ...(broken ?? ruleRow()),
    id: `zap.rule-${at}`,
  }));
  const page = rendered({ ...EXAMPLE_RUN, rules });
  expect(Buffer.byteLength(page)).toBeLessThan(MAX_MARKDOWN_BYTES);
  expect(page.trimEnd()).toMatch(/\*\*\d+ parts more would make this page too large;.*\*\*$/);
  const opened = page.split('<details').length;
  expect(page.split('</details>').length).toBe(opened);
  expect(opened).toBeGreaterThan(20);
});

test('of an identified limit it is said how far it was tried', () => {
  const [limit] = EXAMPLE_RUN.limits;
  if (limit === undefined) throw new Error('the example has no limit');
  const envelope = [
    { seconds: 60, requests: 60 },
    { seconds: 122, requests: 97 },
  ];
  const pageOf = (row: typeof limit): string => rendered({ ...EXAMPLE_RUN, limits: [row] });
  expect(pageOf({ ...limit, envelope })).toContain('as far as 97 in 122 s show');
  expect(pageOf({ ...limit, envelope, verdict: 'ambiguous' })).not.toContain('as far as');
  expect(pageOf(limit)).not.toContain('as far as');
});

import { describe, expect, test } from 'vitest';
import type { Clause } from '../../contracts/judging/clause.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunFinding, RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { PLACES, renderHtml } from './html.ts';
import { dataOf, exchangeWith, template } from './html.testkit.ts';
import { PageTooLarge } from './page-too-large.ts';
import type { ReportSource } from '../source.ts';
import { BASELINE, seriesOf, trendOf } from '../plots/trend.testkit.ts';

const CLAUSES: readonly Clause[] = [
  { id: 'a', section: '2.2', level: 'must', text: 'A quote.', rules: ['zap.quote.shape'] },
  { id: 'b', section: '9', level: 'must', text: 'Of no rule of the run.', rules: ['zap.other'] },
];

function source(changes: Partial<ReportSource> = {}): ReportSource {
  return { run: EXAMPLE_RUN, exchanges: new Map(), leftOut: 0, name: 'nightly', ...changes };
}

function broken(count: number, changes: Partial<RunFinding> = {}): RunJson {
  const finding = {
    pointer: '/a',
    expected: 'one',
    actual: 'two',
    exchanges: ['x00001'],
    curl: 'curl -i x',
    count: 1,
    ...changes,
  };
  return {
    ...EXAMPLE_RUN,
    rules: Array.from({ length: count }, (_, at) =>
      ruleRow({ id: `zap.rule-${at}`, verdict: 'fail', findings: [finding] }),
    ),
  };
}

function render(given: ReportSource, mostBytes?: number): string {
  return renderHtml([given], template(), {
    clauses: CLAUSES,
    ...(mostBytes === undefined ? {} : { mostBytes }),
  });
}

function held(...exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> {
  return new Map(exchanges.map((one) => [one.id, one]));
}

describe('a page', () => {
  test('holds the run, the exchanges that findings name, and the clauses that it speaks of', () => {
    const exchanges = held(exchangeWith('x00017', '{"a":1}'), exchangeWith('x99999', '{}'));
    const data = dataOf(render(source({ exchanges })));
    // Of the docs API, which has no URL, nothing was asked: no report counts its rules.
    const asked = EXAMPLE_RUN.rules.filter(({ api }) => api !== 'docs');
    expect(data.runs[0]?.run.rules).toEqual(asked);
    expect(asked.length).toBeLessThan(EXAMPLE_RUN.rules.length);
    expect(Object.keys(data.runs[0]?.exchanges ?? {})).toEqual(['x00017']);
    expect(data.clauses.map(({ id }) => id)).toEqual(['a']);
    expect(data.runs[0]?.limits[0]?.fields[1]).toEqual([
      'comes back',
      'fixed window from the first request',
    ]);
  });

  test('says in its title and without a script what came out', () => {
    const html = render(source({ run: { ...EXAMPLE_RUN, complete: false } }));
    expect(html).toContain('<title>Does not conform, nightly – Assay report</title>');
    expect(html).toContain(
      '<p>nightly: ✗ zap.path.min-return-within-amount broken: minReturn was &quot;1000000000000000001&quot; (partial: the run did not come to its end)</p>',
    );
  });

  test('of a load run has its plots, thresholds and nights, and no histograms', () => {
    const load = { ...EXAMPLE_LOAD, trend: trendOf([seriesOf()]), baseline: BASELINE };
    const [page] = dataOf(render(source({ run: { ...EXAMPLE_RUN, load } }))).runs;
    expect(page?.plots.map(({ of: kind }) => kind)).toEqual(['load', 'trend']);
    expect(page?.plots.every(({ svg }) => svg.startsWith('<svg '))).toBe(true);
    const expressions = EXAMPLE_LOAD.thresholds.map(({ expression }) => `${expression}: `);
    expect(
      page?.load?.thresholds.map(([, words], at) => words.startsWith(expressions[at] ?? '?')),
    ).toEqual(expressions.map(() => true));
    expect(page?.trend[0]?.[1]).toContain('is slower by');
    expect(page?.baseline.map(([symbol]) => symbol)).toContain('✗');
    expect(page?.run.load?.whole.histogram).toBe('');
  });

  test('shows a plot of limits as it stands in the record, if it is not too large', () => {
    const plotsOf = (limitPlot: string): readonly string[] =>
      dataOf(render(source({ limitPlot }))).runs[0]?.plots.map(({ svg }) => svg) ?? [];
    expect(plotsOf('<svg/>')).toEqual(['<svg/>']);
    expect(plotsOf(`<svg>${' '.repeat(1_000_000)}</svg>`)).toEqual([]);
  });

  test('is one of several runs in their order', () => {
    const html = renderHtml([source(), source({ name: 'load' })], template(), { clauses: [] });
    expect(dataOf(html).runs.map(({ name }) => name)).toEqual(['nightly', 'load']);
    expect(html).toContain('nightly and 1 more');
  });

  test('needs all its places, once each', () => {
    expect(() => renderHtml([source()], '<p>', { clauses: [] })).toThrow('title');
    const twice = `${template()}${PLACES.data}`;
    expect(() => renderHtml([source()], twice, { clauses: [] })).toThrow('data');
  });
});

describe('text of others is data', () => {
  const HOSTILE = '</script><script>alert(1)</script><!-- \u001b[31m \u202egpj.exe $& $` \0';

  test('whatever it is, the page holds nothing of it but what is packed or escaped', () => {
    const run = {
      ...broken(3, { actual: HOSTILE, expected: HOSTILE, pointer: `/${HOSTILE}`, curl: HOSTILE }),
      notices: [HOSTILE],
      labels: { [HOSTILE]: HOSTILE },
    };
    const exchange = exchangeWith('x00001', HOSTILE);
    const html = render(source({ run, exchanges: held(exchange), name: HOSTILE }));
    const [plain] = [render(source({ name: 'plain' }))];
    const tags = (text: string): number => text.split('<').length;
    expect(tags(html)).toBe(tags(plain));
    for (const char of ['\u001b', '\u202e', '\0']) expect(html).not.toContain(char);
    expect(html).toContain('&lt;/script&gt;');
  });

  test('what turns text around or moves cursors is shown as \\u{…}, but in bodies', () => {
    const run = broken(1, { actual: HOSTILE, curl: `curl -i ${HOSTILE}` });
    const exchange = exchangeWith('x00001', `{"a":"\u202e"}`);
    const [page] = dataOf(render(source({ run, exchanges: held(exchange) }))).runs;
    const finding = page?.run.rules[0]?.findings[0];
    expect(finding?.actual).toContain('\\u{1b}[31m \\u{202e}gpj');
    expect(finding?.curl).toContain('\\u{0}');
    const outcome = page?.exchanges.x00001?.outcome;
    expect(outcome?.kind === 'response' && outcome.body.text).toBe(`{"a":"\u202e"}`);
  });

  test('bytes that are no UTF-8 stay base64', () => {
    const body = {
      encoding: 'base64',
      text: Buffer.from([0xff, 0xfe, 0]).toString('base64'),
    } as const;
    const exchanges = held(exchangeWith('x00001', body));
    const [page] = dataOf(render(source({ run: broken(1), exchanges }))).runs;
    const outcome = page?.exchanges.x00001?.outcome;
    expect(outcome?.kind === 'response' && outcome.body).toEqual({ ...body, characters: 4 });
  });

  test('a text of a megabyte is cut, and says so', () => {
    const long = 'é'.repeat(1_000_000);
    const run = { ...broken(1, { actual: long, curl: long }), notices: [long] };
    const exchange = exchangeWith('x00001', `{"a":"${long}"}`);
    const html = render(source({ run, exchanges: held(exchange), name: long }));
    expect(html.length).toBeLessThan(50_000);
    const [page] = dataOf(html).runs;
    expect(page?.run.rules[0]?.findings[0]?.curl).toMatch(/é… \(1000000 characters in all\)$/);
    const outcome = page?.exchanges.x00001?.outcome;
    expect(outcome?.kind === 'response' && outcome.body.characters).toBe(1_000_008);
  });

  test('of a long list the lines around what broke are kept', () => {
    const items = Array.from(
      { length: 3_000 },
      (_, at) => `{"id":${at},"name":"pool ${at} of many"}`,
    );
    const exchange = exchangeWith('x00001', `{"pools":[${items.join()}]}`);
    const run = broken(1, { pointer: '/pools/2500/name' });
    const [page] = dataOf(render(source({ run, exchanges: held(exchange) }))).runs;
    const outcome = page?.exchanges.x00001?.outcome;
    const parts = outcome?.kind === 'response' ? (outcome.body.parts ?? []) : [];
    expect(parts.map(({ before }) => before)).toEqual([0, 9_984]);
    expect(parts[1]?.lines.map(({ text }) => text)).toContain('"pool 2500 of many"');
    expect(parts.flatMap(({ lines }) => lines).length).toBeLessThan(100);
  });
});

describe('a page is bounded', () => {
  /** Text that packs badly. */
  function noise(seed: number, characters: number): string {
    let state = seed + 1;
    return Array.from({ length: characters }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return String.fromCharCode(0x30 + ((state >>> 16) % 75));
    }).join('');
  }

  test('exchanges are left out first, those of later findings before others', () => {
    const ids = Array.from({ length: 60 }, (_, at) => `x${String(at).padStart(5, '0')}`);
    const rules = ids.map((id, at) =>
      ruleRow({
        id: `zap.rule-${at}`,
        verdict: 'fail',
        findings: [
          { pointer: '', expected: 'a', actual: 'b', exchanges: [id], curl: 'curl', count: 1 },
        ],
      }),
    );
    const exchanges = held(...ids.map((id, at) => exchangeWith(id, noise(at, 5_000))));
    const html = render(source({ run: { ...EXAMPLE_RUN, rules }, exchanges, leftOut: 2 }), 100_000);
    expect(html.length).toBeLessThanOrEqual(100_000);
    const [page] = dataOf(html).runs;
    const shown = Object.keys(page?.exchanges ?? {});
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual(ids.slice(0, shown.length));
    expect(page?.run.rules).toHaveLength(60);
    expect(page?.leftOut[0]).toContain(`${62 - shown.length} exchanges`);
  });

  test('then findings and long texts, and the broken rules are the last to go', () => {
    const many = Array.from({ length: 400 }, (_, at) => ({
      ...{ pointer: `/${at}`, expected: noise(at, 400), actual: noise(at + 1, 400) },
      ...{ exchanges: [], curl: 'curl', count: 1 },
    }));
    const rules = [
      ...Array.from({ length: 2_500 }, (_, at) => ruleRow({ id: `zap.good-${at}` })),
      ruleRow({ id: 'zap.bad', verdict: 'fail', findings: many }),
    ];
    const html = render(source({ run: { ...EXAMPLE_RUN, rules } }), 30_000);
    expect(html.length).toBeLessThanOrEqual(30_000);
    const [page] = dataOf(html).runs;
    expect(page?.run.rules[0]?.id).toBe('zap.bad');
    expect(page?.run.rules[0]?.findings.length).toBeGreaterThan(0);
    expect(page?.leftOut.join(' ')).toMatch(/rules are not on this page.*findings are shown/);
  });

  test('what fits in no way is an error with a name', () => {
    expect(() => render(source(), 2_500)).toThrow(PageTooLarge);
  });
});

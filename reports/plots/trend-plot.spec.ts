import { SyntaxValidator } from 'fast-xml-validator';
import { expect, test } from 'vitest';
import { renderTrendPlot } from './trend-plot.ts';
import { seriesOf, SLOWER, trendOf } from './trend.testkit.ts';

test('has a mark for each night, its range, and each change', () => {
  const gaps = Array.from({ length: 25 }, (_, at) => (at === 3 ? null : at < 20 ? 4 : 4.4));
  const svg = renderTrendPlot(
    trendOf([
      seriesOf({ ratios: gaps, operation: 'zap <quote> & co' }),
      seriesOf({ figure: 'absolute', shifts: [], asides: [{ ...SLOWER, cause: 'machine' }] }),
    ]),
  );
  expect(SyntaxValidator.validate(svg)).toBe(true);
  expect(svg.match(/class="night"/g)).toHaveLength(24 + 25);
  expect(svg.match(/class="range"/g)).toHaveLength(50);
  expect(svg.match(/class="change"/g)).toHaveLength(1);
  expect(svg.match(/class="aside"/g)).toHaveLength(1);
  // Two levels around the change, one if there is none.
  expect(svg.match(/class="level"/g)).toHaveLength(3);
  expect(svg).toContain('zap &lt;quote&gt; &amp; co p95: slower');
});

test('has nights at their places, from left to right, slower ones higher', () => {
  const svg = renderTrendPlot(trendOf([seriesOf()]));
  const nights = [...svg.matchAll(/class="night" cx="([\d.]+)" cy="([\d.]+)"/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  const [first = [0, 0], last = [0, 0]] = [nights[0], nights.at(-1)];
  expect(first[0]).toBeCloseTo(56 + 884 / 50, 1);
  expect(last[0]).toBeCloseTo(940 - 884 / 50, 1);
  expect(last[1]).toBeLessThan(first[1]);
  const change = Number(/class="change" x1="([\d.]+)"/.exec(svg)?.[1]);
  expect(change).toBeGreaterThan(nights[19]?.[0] ?? Infinity);
  expect(change).toBeLessThan(nights[20]?.[0] ?? 0);
});

test('one wild night does not flatten the others', () => {
  const values = Array.from({ length: 25 }, (_, at) => (at === 5 ? 4000 : 4));
  const svg = renderTrendPlot(trendOf([seriesOf({ ratios: values, shifts: [] })]));
  const heights = [...svg.matchAll(/class="night" cx="[\d.]+" cy="([\d.]+)"/g)].map(([, y]) =>
    Number(y),
  );
  expect(Math.max(...heights)).toBeLessThan(60 + 134 * 0.7);
  expect(Math.min(...heights)).toBe(60);
});

test('there is a document for nothing at all', () => {
  expect(SyntaxValidator.validate(renderTrendPlot(trendOf([])))).toBe(true);
  const empty = { valuesMs: [], ratios: [], ranges: [], shifts: [] };
  const svg = renderTrendPlot(trendOf([seriesOf(empty)], { nights: [] }));
  expect(svg).not.toMatch(/NaN|Infinity/);
});

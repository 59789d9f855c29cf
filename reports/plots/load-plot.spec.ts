import { SyntaxValidator } from 'fast-xml-validator';
import { expect, test } from 'vitest';
import { EXAMPLE_LOAD, loadMoment, loadStep } from '../../contracts/run/load/load-run.testkit.ts';
import { renderLoadPlot } from './load-plot.ts';

/** The drawn points of the lines, panel by panel. */
function pathsOf(svg: string): string[] {
  return [...svg.matchAll(/class="line"[^>]* d="([^"]*)"/g)].map(([, path = '']) => path);
}

function pointsOf(path: string): number {
  return [...path.matchAll(/[ML]/g)].length;
}

test('the plot is well-formed XML without scripts, and draws every moment', () => {
  const svg = renderLoadPlot(EXAMPLE_LOAD);
  expect(SyntaxValidator.validate(svg)).toBe(true);
  expect(svg).not.toContain('<script');
  const paths = pathsOf(svg);
  expect(paths).toHaveLength(8);
  expect(paths.map(pointsOf)).toEqual(paths.map(() => EXAMPLE_LOAD.moments.length));
  expect(svg).toContain('stress: Latency');
  expect(svg.match(/class="step"/g)).toHaveLength(3);
});

test('a higher value stands higher', () => {
  const moments = [10, 80, 40].map((p99Ms, second) => loadMoment(second, { p99Ms }));
  const [, , p99 = ''] = pathsOf(renderLoadPlot({ ...EXAMPLE_LOAD, moments }));
  const heights = [...p99.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
  expect(heights[1]).toBeLessThan(heights[2] ?? 0);
  expect(heights[2]).toBeLessThan(heights[0] ?? 0);
});

test('a moment without an answer is a gap in the latencies', () => {
  const none = { second: 1, seconds: 1, offered: 5, admitted: 0, throttled: 0, errors: 0 };
  const moments = [loadMoment(0), { ...none, violations: 0 }, loadMoment(2)];
  const [p50 = '', , , offered = ''] = pathsOf(renderLoadPlot({ ...EXAMPLE_LOAD, moments }));
  expect(p50.match(/M/g)).toHaveLength(2);
  expect(offered.match(/M/g)).toHaveLength(1);
});

test('of rounds, steps are named where the first round has room for it', () => {
  const step = { seconds: 100, beginsSeconds: 0 };
  const steps = [
    loadStep({ ...step, name: 'rise' }),
    loadStep({ ...step, name: 'stay', beginsSeconds: 2 }),
  ];
  const moments = Array.from({ length: 200 }, (_, second) => loadMoment(second));
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, steps, moments });
  expect(svg).toContain('>stay<');
  expect(svg).not.toContain('>rise<');
});

test('names are text, whatever they hold, and an empty run has a plot', () => {
  const steps = [loadStep({ name: '<b>&\u001b[31m' })];
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, scenario: '<i>', steps, moments: [] });
  expect(SyntaxValidator.validate(svg)).toBe(true);
  expect(svg).toContain('&lt;i&gt;');
  expect(svg).not.toContain('\u001b');
});

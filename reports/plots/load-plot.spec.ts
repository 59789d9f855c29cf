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
  // Three percentiles, two reasons, throttled, offered, served, wrong answers.
  expect(paths).toHaveLength(9);
  expect(paths.map(pointsOf)).toEqual(paths.map(() => EXAMPLE_LOAD.moments.length));
  expect(svg).toContain('stress: Latency');
  expect(svg.match(/class="step"/g)).toHaveLength(4);
});

test('of answers that nobody judged there is no panel that says that none was wrong', () => {
  const unjudged = { ...EXAMPLE_LOAD, judged: { answers: 0, of: 198, kept: 0 } };
  expect(renderLoadPlot(EXAMPLE_LOAD)).toContain('Wrong answers a second');
  expect(renderLoadPlot(unjudged)).not.toContain('Wrong answers a second');
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
  const [p50 = '', , , , , offered = ''] = pathsOf(renderLoadPlot({ ...EXAMPLE_LOAD, moments }));
  expect(p50.match(/M/g)).toHaveLength(2);
  expect(offered.match(/M/g)).toHaveLength(1);
});

test('of rounds, steps are named if the first round has room for it', () => {
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

test('a heatmap shows where latencies lie, with errors by reason and throttled right below it', () => {
  const moments = [0, 1, 2].map((second) =>
    loadMoment(second, {
      ...{ byLatency: [0, 0, 1, 3], requestSeconds: 4, worstLagMs: 7 },
      ...(second === 1 ? { errors: 5, byReason: { 503: 4, reset: 1 } } : {}),
    }),
  );
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, moments });
  expect(SyntaxValidator.validate(svg)).toBe(true);
  const cells = [...svg.matchAll(/class="heat"[^>]* y="([\d.]+)"[^>]* fill-opacity="([\d.]+)"/g)];
  expect(cells).toHaveLength(6);
  const [quick, slow] = cells.map(([, y, shade]) => ({ y: Number(y), shade: Number(shade) }));
  expect(slow?.y).toBeLessThan(quick?.y ?? 0);
  expect(slow?.shade).toBeGreaterThan(quick?.shade ?? 1);
  const titles = [...svg.matchAll(/class="title"[^>]*>([^<]*)</g)].map(([, title]) => title);
  expect(titles.slice(0, 3)).toEqual([
    'stress: Where latencies of served answers lie',
    'Errors by reason, and throttled answers, a second',
    'Lag of the generator',
  ]);
  expect(svg).toMatch(/answered 503.*closed before an answer.*throttled/);
  expect(svg).toContain('>10 ms<');
});

test('labels of axes are whole and short, also of answers that took a minute', () => {
  const byLatency = Array.from({ length: 36 }, () => 1);
  const moments = [loadMoment(0, { byLatency, worstLagMs: 60_000, p99Ms: 60_000 })];
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, moments });
  const ends = [...svg.matchAll(/<text x="(\d+)"[^>]*text-anchor="end">([^<]* ms)</g)];
  const labels = ends.map(([, x, label = '']) => ({ room: Number(x), label }));
  expect(labels.map(({ label }) => label).join()).toMatch(/\d{5} ms/);
  // Of 12 pixels, a digit is 7 wide, and an m 11.
  expect(labels.filter(({ room, label }) => 7 * label.length + 6 > room)).toEqual([]);
  expect(labels.filter(({ label }) => /\d\d\.\d/.test(label))).toEqual([]);
});

test('a warm-up is shaded in each panel over time', () => {
  expect(renderLoadPlot(EXAMPLE_LOAD)).not.toContain('warm-up');
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, warmUpSeconds: 10 });
  const widths = [...svg.matchAll(/class="warm"[^>]* width="([\d.]+)"/g)].map(([, width]) => width);
  expect(new Set(widths)).toEqual(new Set(['428']));
});

test('what was not measured has no panel', () => {
  const svg = renderLoadPlot(EXAMPLE_LOAD);
  expect(svg).not.toMatch(/Lag of the generator|on their way|Where latencies|against offered/);
});

test('the plot of a closed loop says that it is one', () => {
  const engine = { name: 'autocannon', version: '9.0.0' } as const;
  expect(renderLoadPlot({ ...EXAMPLE_LOAD, engine })).toContain('in a closed loop each connection');
});

test('what was served is set against what was offered, and the knee is marked', () => {
  const steps = [10, 20, 40].map((offeredPerSecond) =>
    loadStep({ offeredPerSecond, seconds: 1, answered: Math.min(22, offeredPerSecond) }),
  );
  expect(renderLoadPlot({ ...EXAMPLE_LOAD, steps })).toContain(
    '>hardly more is served beyond 20/s<',
  );
  // Errors of a fixed share are no limit of the rate.
  const failing = steps.map((one) => ({ ...one, answered: 0.9 * one.offeredPerSecond }));
  expect(renderLoadPlot({ ...EXAMPLE_LOAD, steps: failing })).toMatch(
    /^(?=[^]*against offered)(?![^]*hardly more)/,
  );
  const found = renderLoadPlot({ ...EXAMPLE_LOAD, steps, keptUpPerSecond: 20 });
  expect(found).toContain('>keeps up with 20/s<');
});

test('what a service serves after a step is none of its rate there, and a step that was cut short has none', () => {
  // All is served in the end, and never more than 22 a second.
  const steps = [10, 20, 40, 80].map((offeredPerSecond) => ({
    ...loadStep({ offeredPerSecond, admittedPerSecond: offeredPerSecond, seconds: 10 }),
    ...(offeredPerSecond === 80 ? {} : { answered: Math.min(220, 10 * offeredPerSecond) }),
  }));
  const svg = renderLoadPlot({ ...EXAMPLE_LOAD, steps });
  expect(svg).toContain('>hardly more is served beyond 20/s<');
  expect(svg.match(/<circle/g)).toHaveLength(3);
});

test('a step that served less by chance is no knee', () => {
  const served = [10, 20, 21, 40, 44, 38];
  const steps = served.map((answered, at) =>
    loadStep({ offeredPerSecond: 10 * (at + 1), seconds: 1, answered }),
  );
  expect(renderLoadPlot({ ...EXAMPLE_LOAD, steps })).toContain(
    '>hardly more is served beyond 40/s<',
  );
});

test('served answers are drawn when they came', () => {
  const pathsOf = (answered: number): string[] | null =>
    renderLoadPlot({
      ...EXAMPLE_LOAD,
      moments: [0, 1].map((second) => loadMoment(second, { offered: 10, admitted: 10, answered })),
    }).match(/<path class="line"[^>]*>/g);
  expect(pathsOf(10)).not.toEqual(pathsOf(4));
});

test('a long run has no more columns than there is room for', () => {
  const moments = Array.from({ length: 600 }, (_, second) =>
    loadMoment(second, { byLatency: Array.from({ length: 20 }, () => 1) }),
  );
  expect(renderLoadPlot({ ...EXAMPLE_LOAD, moments }).length).toBeLessThan(500_000);
});

import { describe, expect, test } from 'vitest';
import type { LoadTrend } from '../../contracts/run/load/load-trend.ts';
import { baselineLines } from './terminal-baseline.ts';
import { trendLines } from './terminal-trend.ts';
import { BASELINE, day, seriesOf, SLOWER, trendOf } from '../plots/trend.testkit.ts';
import { painter } from './verdict-style.ts';

const WIDTH = 100;
const said = (trend: LoadTrend, width = WIDTH): string =>
  trendLines(trend, width, painter(false)).join('\n');
const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe('a change', () => {
  test('is said with its series, its size, its night, and whose it is', () => {
    const text = flat(said(trendOf([seriesOf()])));
    expect(text).toContain('Trend over 25 nights, 2026-02-01 to 2026-02-25');
    expect(text).toContain(
      '✗ p95, measured by the control, is slower by 10.1 % (6.2 to 13.9) since the night of 2026-02-21, reported by this run.',
    );
    expect(text).toContain('The control changed by -0.2 % (-3 to 4).');
    expect(text).toContain('A slower or faster machine does not explain it.');
  });

  test('that was reported before says when', () => {
    const shift = { ...SLOWER, isNew: false };
    expect(flat(said(trendOf([seriesOf({ shifts: [shift] })])))).toContain(
      'reported by the night of 2026-02-25.',
    );
  });

  test('for the better is no fault, and its numbers are those of a speed-up', () => {
    const shift = {
      ...SLOWER,
      direction: 'faster',
      size: { percent: -9.1, least: -12.3, greatest: -6 },
    } as const;
    const text = flat(said(trendOf([seriesOf({ verdict: 'faster', shifts: [shift] })])));
    expect(text).toContain('! p95, measured by the control, is faster by 9.1 % (6 to 12.3)');
    expect(text).not.toContain('✗');
  });

  test('of the machine is no fault of the service', () => {
    const aside = { ...SLOWER, cause: 'machine' } as const;
    const series = seriesOf({ verdict: 'steady', shifts: [], asides: [aside] });
    const text = flat(said(trendOf([series])));
    expect(text).toContain('· p95 is slower by 10.1 %');
    expect(text).toContain('it is the machine, not the service.');
    expect(text).not.toContain('✗');
  });

  test('of the control is none of the service', () => {
    const shift = { ...SLOWER, cause: 'control' } as const;
    const text = flat(said(trendOf([seriesOf({ verdict: 'steady', shifts: [shift] })])));
    expect(text).toContain('The control changed, not the service.');
    expect(text).not.toContain('✗');
  });

  test('without a control may be the machine’s', () => {
    const { direction, since, toldBy, isNew, size } = SLOWER;
    const shift = { direction, since, toldBy, isNew, size, cause: 'unknown' } as const;
    const text = flat(said(trendOf([seriesOf({ figure: 'absolute', shifts: [shift] })])));
    expect(text).toContain('✗ p95 is slower by 10.1 %');
    expect(text).toContain('Without a control it may be the machine');
    expect(text).toContain('Judged by milliseconds alone');
  });
});

test('a change that several series show is said once, with the other series by name', () => {
  const later = { ...SLOWER, since: day(22), size: { percent: 12.34, least: 8, greatest: 15 } };
  const other = { ...SLOWER, since: day(2) };
  const text = flat(
    said(
      trendOf([
        seriesOf({ percentile: 'p50', shifts: [{ ...SLOWER, isNew: false }] }),
        seriesOf({ shifts: [other, later] }),
        seriesOf({ operation: 'zap.quote' }),
      ]),
    ),
  );
  expect(text.match(/✗/g)).toHaveLength(2);
  expect(text).toContain('✗ p95, measured by the control, is slower by 12.3 % (8 to 15)');
  expect(text).toContain('Likewise: zap.quote p95 +10.1 %, p50 +10.1 %.');
  expect(text.indexOf('2026-02-03')).toBeLessThan(text.indexOf('2026-02-23'));
});

describe('what could have been seen', () => {
  const steady = { verdict: 'steady', shifts: [], nightsWatched: 25 } as const;

  test('is said of a spread that hides a step of 10 %', () => {
    const series = seriesOf({ ...steady, spreadPercent: 8.04, smallestPercent: 16.6 });
    expect(flat(said(trendOf([series])))).toContain(
      'p95: at a spread of 8 % a step of 10 % would not surely be found within ten nights; the smallest that would be is 16.6 %.',
    );
  });

  test('is said of one that hides everything', () => {
    const text = flat(said(trendOf([seriesOf({ ...steady, spreadPercent: 60 })])));
    expect(text).toContain('not even twice the time would be.');
    expect(text).toMatch(/p95 22 4.4 60 % none 25/);
  });

  test('is not said of nights that show it', () => {
    const series = seriesOf({ ...steady, spreadPercent: 2, smallestPercent: 6.5 });
    const text = flat(said(trendOf([series])));
    expect(text).not.toContain('would not surely');
    expect(text).toMatch(/p95 22 4.4 2 % 6.5 % 25/);
  });

  test('is not said of too few nights, which are named', () => {
    const text = flat(said(trendOf([seriesOf({ verdict: 'unwatched', shifts: [] })])));
    expect(text).toContain(
      'Not watched for lasting changes yet, as it takes 20 nights since the latest one: p95.',
    );
    expect(text).toMatch(/p95 22 4.4 2.9 % - 5/);
    expect(text).not.toContain('would not surely');
  });

  test('is reported of a jump, which counts once it is known', () => {
    const jumping = (isKnown: boolean): string =>
      flat(
        said(
          trendOf([
            seriesOf({
              shifts: [],
              jump: { since: '2026-02-25T02:00:00Z', percent: 900, isKnown },
            }),
          ]),
        ),
      );
    expect(jumping(true)).toContain('✗ p95 is slower by 900 % since the night of 2026-02-25');
    expect(jumping(false)).toMatch(/\? p95 is slower .*One night alone may be the machine/);
  });

  test('is doubted if nights follow each other', () => {
    const series = seriesOf({ ...steady, smallestPercent: 6, autocorrelation: 0.4 });
    expect(flat(said(trendOf([series])))).toContain('a change is reported later');
  });
});

test('runs that were left out are named by their reason', () => {
  const leftOut = ['a', 'b', 'c', 'd', 'e'].map((run) => ({ run, reason: 'it was cut short' }));
  const text = flat(
    said(trendOf([seriesOf()], { leftOut, leftOutMore: 3, notes: ['Something to know.'] })),
  );
  expect(text).toContain('Not compared: a, b, c and 2 more: it was cut short.');
  expect(text).toContain('Not compared: 3 further runs.');
  expect(text).toContain('Something to know.');
});

test('a run that cannot be compared says why, and nothing else', () => {
  const text = said(trendOf([], { refused: ['It lagged.'] }));
  expect(text).toBe('Trend\n  ? It lagged.');
});

test('no line is wider than it may be, and what others wrote moves no cursor', () => {
  const operation = `zap.${'quote'.repeat(20)}\u001B[2J`;
  const leftOut = [{ run: 'x\u001B[31m', reason: 'it was\ncut' }];
  for (const width of [80, 100, 160]) {
    const lines = trendLines(
      trendOf([seriesOf(), seriesOf({ operation: 'zap.quote' })], { leftOut }),
      width,
      painter(false),
    );
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  }
  const text = said(trendOf([seriesOf({ operation })], { leftOut }));
  expect(text).not.toContain('\u001B');
});

test('operations have a row once something can be determined of them', () => {
  const young = { verdict: 'unwatched', shifts: [], nights: 3, nightsWatched: 3 } as const;
  const rows = said(
    trendOf([
      seriesOf({ ...young, percentile: 'p50' }),
      seriesOf({ ...young, operation: 'zap.young' }),
      seriesOf({ operation: 'zap.wild' }),
      seriesOf({ operation: 'zap.old', shifts: [], nightsWatched: 25 }),
    ]),
  );
  expect(rows).toMatch(/^ {2}p50 /m);
  expect(rows).toMatch(/^ {2}zap\.wild p95 /m);
  expect(rows).toMatch(/^ {2}zap\.old p95 /m);
  expect(rows).not.toMatch(/^ {2}zap\.young/m);
});

describe('a baseline', () => {
  const text = (width = WIDTH): string => baselineLines(BASELINE, width, painter(false)).join('\n');

  test('is said by percentile, with intervals and what could be reported', () => {
    expect(text()).toContain('Against the baseline last-week of 2026-02-01');
    expect(flat(text())).toContain('✗ p50 20.1 24.0 slower: 19.3 % (15 to 24)');
    expect(flat(text())).toContain(
      '· p95 40.0 41.0 no difference that could be found: 2.5 % (-6 to 11); 17 % would be',
    );
    expect(flat(text())).toContain('? p99 60.0 61.0 too short a run to say');
    expect(flat(text())).toContain('together with 95 % confidence');
    expect(flat(text())).toContain('do not distinguish a slower service from a slower machine');
    expect(flat(text())).toContain('Node v20.19.0, not v20.20.0.');
    for (const line of text(80).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('that a run is slower than, without a control, is no fault that is certain', () => {
    const [row] = BASELINE.rows;
    if (row === undefined) throw new Error('there is no row');
    const rows = [{ ...row, figure: 'absolute' as const, method: 'batches' as const }];
    const lines = flat(baselineLines({ ...BASELINE, rows }, WIDTH, painter(false)).join('\n'));
    expect(lines).toContain('? p50 20.1 24.0 slower');
    expect(lines).toContain('--rounds 5 in both does');
    const ofControl = [{ ...row, cause: 'control' as const }];
    expect(
      flat(baselineLines({ ...BASELINE, rows: ofControl }, WIDTH, painter(false)).join('\n')),
    ).toContain('slower than the control, which changed, not the service: 19.3 % (15 to 24)');
  });

  test('that is refused says why', () => {
    const refused = { ...BASELINE, startedAt: day(3), refused: ['Another machine.'], rows: [] };
    const lines = baselineLines(refused, WIDTH, painter(false));
    expect(lines.slice(0, 2)).toEqual([
      'Against the baseline last-week of 2026-02-04',
      '  ? Another machine.',
    ]);
    expect(lines.join('\n')).not.toContain('confidence');
  });
});

import { expect, test } from 'vitest';
import { EXAMPLE_LOAD, loadMoment } from '../../contracts/run/load/load-run.testkit.ts';
import { omit } from '../../contracts/wire/json.ts';
import { renderLoadSeries } from './load-series.ts';

/** The cells of each line by the names of their columns. */
function read(csv: string): Record<string, string>[] {
  const [names = [], ...lines] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => {
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

test('the series has a line for each moment, read back as it was measured', () => {
  const first = loadMoment(0, { answered: 9, requestSeconds: 0.5, worstLagMs: 2.5 });
  const second = loadMoment(1, { errors: 3, byReason: { 503: 2, timeout: 1 }, throttled: 4 });
  expect(read(renderLoadSeries({ ...EXAMPLE_LOAD, moments: [first, second] }))).toEqual([
    {
      ...{ second: '0', seconds: '1', offered: '10', served: '10', throttled: '0', errors: '0' },
      ...{ sent: '10', answered: '9', violations: '0', p50_ms: '20', p95_ms: '50', p99_ms: '120' },
      ...{ in_flight: '0.5', worst_lag_ms: '2.5', errors_503: '0', errors_timeout: '0' },
    },
    expect.objectContaining({ errors: '3', errors_503: '2', errors_timeout: '1', throttled: '4' }),
  ]);
});

test('what was offered and never sent is seen', () => {
  const moment = loadMoment(3, { offered: 10, admitted: 0, throttled: 1, errors: 2 });
  const [row] = read(renderLoadSeries({ ...EXAMPLE_LOAD, moments: [moment] }));
  expect(row).toMatchObject({ offered: '10', sent: '3', served: '0' });
});

test('what is in the warm-up is marked if there is one', () => {
  const moments = [0, 1, 2].map((second) => loadMoment(second));
  const warm = read(renderLoadSeries({ ...EXAMPLE_LOAD, moments, warmUpSeconds: 2 }));
  expect(warm.map((row) => row.warm_up)).toEqual(['1', '1', '0']);
  expect(renderLoadSeries({ ...EXAMPLE_LOAD, moments, warmUpSeconds: 0 })).not.toContain('warm_up');
});

test('what was not measured is an empty cell, not 0', () => {
  const none = omit(omit(omit(loadMoment(0, { admitted: 0 }), 'p50Ms'), 'p95Ms'), 'p99Ms');
  const earlier = { ...none, errors: 2 };
  const known = loadMoment(1, { errors: 1, byReason: { reset: 1 } });
  const judged = { answers: 0, of: 1, kept: 0 };
  const [row] = read(renderLoadSeries({ moments: [earlier, known], judged }));
  expect(row).toMatchObject({ p50_ms: '', p99_ms: '', in_flight: '', worst_lag_ms: '' });
  expect(row).toMatchObject({ violations: '' });
  expect(row).toMatchObject({ errors: '2', errors_reset: '' });
});

import type { LoadMoment, RunLoad } from '../../contracts/run/load/load-run.ts';

/** What a column has of each moment; undefined if it was not measured. */
type Column = readonly [name: string, valueOf: (moment: LoadMoment) => number | undefined];

const COLUMNS: readonly Column[] = [
  ['second', ({ second }) => second],
  ['seconds', ({ seconds }) => seconds],
  ['offered', ({ offered }) => offered],
  // Each request that was sent has one fate; what is offered besides was never sent.
  ['sent', ({ admitted, throttled, errors }) => admitted + throttled + errors],
  ['served', ({ admitted }) => admitted],
  // When answers came, in place of when they were due.
  ['answered', ({ answered }) => answered],
  ['throttled', ({ throttled }) => throttled],
  ['errors', ({ errors }) => errors],
  ['p50_ms', ({ p50Ms }) => p50Ms],
  ['p95_ms', ({ p95Ms }) => p95Ms],
  ['p99_ms', ({ p99Ms }) => p99Ms],
  ['in_flight', ({ requestSeconds, seconds }) => requestSeconds && requestSeconds / seconds],
  ['worst_lag_ms', ({ worstLagMs }) => worstLagMs],
];

/**
 * A load from moment to moment as CSV (RFC 4180): a line of names, then one for each moment. What was not measured is
 * an empty cell. Errors have a column for each reason besides. With a warm-up, `warm_up` is 1 of the moments that begin
 * in it: their latencies are in no other figure.
 */
export function renderLoadSeries({
  moments,
  judged,
  warmUpSeconds = 0,
}: Pick<RunLoad, 'moments' | 'judged' | 'warmUpSeconds'>): string {
  const reasons = new Set(moments.flatMap(({ byReason = {} }) => Object.keys(byReason)));
  const isKnown = ({ errors, byReason }: LoadMoment): boolean =>
    errors === 0 || byReason !== undefined;
  const columns = [
    ...COLUMNS,
    ['violations', ({ violations }) => (judged.answers === 0 ? undefined : violations)] as Column,
    ...(warmUpSeconds === 0
      ? []
      : [['warm_up', ({ second }) => Number(second < warmUpSeconds)] as Column]),
    ...[...reasons]
      .toSorted()
      .map((reason): Column => [
        `errors_${reason.replaceAll(/\W/g, '_')}`,
        (moment) => (isKnown(moment) ? (moment.byReason?.[reason] ?? 0) : undefined),
      ]),
  ];
  const lines = moments.map((moment) =>
    columns.map(([, valueOf]) => String(valueOf(moment) ?? '')).join(','),
  );
  return [columns.map(([name]) => name).join(','), ...lines, ''].join('\r\n');
}

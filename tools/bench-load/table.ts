import type { Measured } from './row.ts';

/** A generator and what its rounds took. */
export interface BenchLine {
  readonly name: string;
  readonly rounds: readonly Measured[];
}

/** Goals: the judged open loop against others, at most so many times their processor time. */
const GOALS: readonly { readonly than: string; readonly times: number }[] = [
  { than: 'autocannon', times: 2 },
  { than: 'k6, JSON and two checks', times: 0.4 },
];

/** The name of the line that the goals are about. */
export const JUDGED = 'open-loop, every response judged';

/** Microseconds of processor time a request, the median of the rounds. */
export function cpuMicros({ rounds }: BenchLine): number {
  return medianOf(rounds.map(({ cpuSeconds, requests }) => (cpuSeconds / requests) * 1e6));
}

/** The table, and how the goals are met. */
export function benchTable(lines: readonly BenchLine[]): string {
  const rows = lines.map((line) => {
    const perSecond = medianOf(line.rounds.map(({ requests, seconds }) => requests / seconds));
    const megabytes = medianOf(line.rounds.flatMap(({ megabytes: one }) => one ?? []));
    return [
      line.name.padEnd(34),
      String(Math.round(perSecond)).padStart(11),
      cpuMicros(line).toFixed(1).padStart(14),
      (Number.isNaN(megabytes) ? '' : String(Math.round(megabytes))).padStart(8),
    ].join('');
  });
  const header = `${''.padEnd(34)}${'requests/s'.padStart(11)}${'CPU µs/request'.padStart(15)}${'MB'.padStart(7)}`;
  return [header, ...rows, ...goalsMet(lines), ''].join('\n');
}

function goalsMet(lines: readonly BenchLine[]): string[] {
  const judged = lines.find(({ name }) => name === JUDGED);
  return GOALS.flatMap(({ than, times }) => {
    const other = lines.find(({ name }) => name === than);
    if (judged === undefined || other === undefined) return [];
    const ratio = cpuMicros(judged) / cpuMicros(other);
    const met = ratio <= times ? 'met' : 'not met';
    return [`judged, times ${than}: ${ratio.toFixed(2)} (goal: at most ${times}; ${met})`];
  });
}

/** NaN where there are none. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}

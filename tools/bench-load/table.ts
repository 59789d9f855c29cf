import type { Measured } from './row.ts';

/** A generator and what its rounds took. */
export interface BenchLine {
  readonly name: string;
  readonly rounds: readonly Measured[];
}

/** What the processor time of a line is held against: so many times that of another one, or µs a request. */
export interface Goal {
  readonly of: string;
  /** Another line; µs when absent. */
  readonly than?: string;
  readonly atMost: number;
}

/** Names of lines that goals are about. */
export const JUDGED = 'open-loop, every response judged';
export const UNJUDGED = 'open-loop, unjudged';
export const K6_CHECKS = 'k6, JSON and two checks';

/** As fast as answers come. */
export const GOALS_AT_MOST: readonly Goal[] = [
  { of: JUDGED, than: 'autocannon', atMost: 2 },
  { of: JUDGED, than: K6_CHECKS, atMost: 0.4 },
];
/** At 1,000 requests a second. */
export const GOALS_AT_RATE: readonly Goal[] = [
  { of: JUDGED, atMost: 200 },
  { of: UNJUDGED, atMost: 80 },
];

/** Microseconds of processor time a request, the median of the rounds. */
export function cpuMicros({ rounds }: BenchLine): number {
  return medianOf(rounds.map(({ cpuSeconds, requests }) => (cpuSeconds / requests) * 1e6));
}

/** The table, and how the goals are met. */
export function benchTable(lines: readonly BenchLine[], goals: readonly Goal[]): string {
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
  return [header, ...rows, ...goalsMet(lines, goals), ''].join('\n');
}

function goalsMet(lines: readonly BenchLine[], goals: readonly Goal[]): string[] {
  const named = (name: string): BenchLine | undefined => lines.find((line) => line.name === name);
  return goals.flatMap(({ of, than, atMost }) => {
    const [line, other] = [named(of), than === undefined ? undefined : named(than)];
    if (line === undefined || (than !== undefined && other === undefined)) return [];
    const value = cpuMicros(line) / (other === undefined ? 1 : cpuMicros(other));
    const measured =
      than === undefined ? `µs: ${value.toFixed(1)}` : `times ${than}: ${value.toFixed(2)}`;
    const met = value <= atMost ? 'met' : 'not met';
    return [`${of}, ${measured} (goal: at most ${atMost}; ${met})`];
  });
}

/** NaN if there are none. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}

/** What `bench:load` says of latencies: those that a load run reports beside those that the server took. */

/** Latencies of one run, in milliseconds. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One server at one rate. */
export interface AccuracyLine {
  readonly server: string;
  readonly perSecond: number;
  /** What the server took for the answers to the judged load run, by its own clock. */
  readonly truth: Latencies;
  /** The judged load run; not valid if the generator says that its latencies do not count. */
  readonly judged: Latencies & { readonly isValid: boolean };
  /** Another program in the same minute, and what the server took then; absent if it is not at hand. */
  readonly other?: { readonly reported: Latencies; readonly truth: Latencies };
}

/** Up to this rate figures are to be right; from {@link HIGH_PER_SECOND} on none that is wrong may be valid. */
const LOW_PER_SECOND = 500;
const HIGH_PER_SECOND = 1_500;
/** How far a figure may be off: a share of it or so many milliseconds. */
const OFF = { p50Ms: 1, p99Share: 0.2, p99LowMs: 3, p99HighMs: 5 } as const;

/** Whether a load run met its goal: undefined if there is none for its rate. */
export function isGoalMet({ perSecond, truth, judged }: AccuracyLine): boolean | undefined {
  const off99 = Math.abs(judged.p99Ms - truth.p99Ms);
  const isWithin = (ms: number): boolean => off99 <= Math.max(ms, OFF.p99Share * truth.p99Ms);
  if (perSecond <= LOW_PER_SECOND) {
    return Math.abs(judged.p50Ms - truth.p50Ms) <= OFF.p50Ms && isWithin(OFF.p99LowMs);
  }
  if (perSecond < HIGH_PER_SECOND) return undefined;
  return !judged.isValid || isWithin(OFF.p99HighMs);
}

/** The table of all lines, and the name of the other program. */
export function accuracyTable(lines: readonly AccuracyLine[], other: string | undefined): string {
  const rows = lines.map((line) => {
    const met = isGoalMet(line);
    return [
      line.server.padEnd(22),
      `${line.perSecond}/s`.padStart(8),
      ...[line.truth, line.judged].map(pair),
      ...(line.other === undefined ? [] : [line.other.truth, line.other.reported].map(pair)),
      `  ${line.judged.isValid ? '' : 'not valid, '}${met === undefined ? 'no goal' : met ? 'met' : 'not met'}`,
    ].join('');
  });
  const names = ['server', 'judged', ...(other === undefined ? [] : ['server', other])];
  const header = `${'p50 / p99, ms'.padEnd(30)}${names.map((name) => name.padStart(17)).join('')}  goal`;
  return [header, ...rows, ''].join('\n');
}

function pair({ p50Ms, p99Ms }: Latencies): string {
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`.padStart(17);
}

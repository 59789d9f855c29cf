/** The flags of `assay load`, read. */

import type { LoadEngine } from '../../load/engines/engine.ts';
import { type Segment, segmentOf } from '../../load/scenarios/segment.ts';
import { MAX_ROUNDS } from '../../load/trend/rounds.ts';
import { UsageError } from '../exit-code.ts';
import type { EarlierRuns } from '../tasks/load/compare-load.ts';
import { ENGINE_NAMES } from '../tasks/load/load-engine.ts';
import { didYouMean } from '../near.ts';
import type { LimitsWish } from './load-limits.ts';
import type { ScenarioWish } from './load-scenario.ts';
import { throttleStatuses } from '../throttle-status.ts';

type Flags = Readonly<Record<string, unknown>>;

/** What the flags ask for. */
export interface LoadFlags {
  readonly wish: Omit<ScenarioWish, 'maxRate'>;
  readonly allowed: readonly string[];
  readonly connections: number;
  readonly judgeShare: number;
  readonly limits?: LimitsWish;
  readonly engine: LoadEngine['name'];
  /** Where k6 is; on the PATH when absent. */
  readonly k6?: string;
  readonly k6Outputs: readonly string[];
  /** Statuses that count as throttled besides what the document says. */
  readonly throttleStatuses: readonly number[];
  readonly segment?: Segment;
  /** Rounds beside a control; one run without a control when absent. */
  readonly rounds?: number;
  /** Earlier runs to compare with. */
  readonly earlier: EarlierRuns;
}

/** Connections to one origin at the most, where nobody says otherwise. */
export const USUAL_CONNECTIONS = 1_000;
const MAX_CONNECTIONS = 20_000;
/** Judging by all rules takes k6 0.8 ms an answer. */
const USUAL_K6_SHARE = 0.1;

/**
 * Reads the flags.
 *
 * @throws UsageError when one is not what it should be
 * @throws SegmentError
 */
export function readLoadFlags(flags: Flags): LoadFlags {
  const engine = engineNamed(textOf(flags, 'engine'));
  const share = numberOf(flags, 'judgeShare', { least: 0, most: 1 });
  const judgeShare = share ?? (engine === 'k6' ? USUAL_K6_SHARE : 1);
  const segment = textOf(flags, 'segment');
  const rounds = whole(flags, 'rounds', MAX_ROUNDS);
  const earlier = {
    ...given('history', textOf(flags, 'history')),
    ...given('baseline', textOf(flags, 'baseline')),
  };
  refuseUnfitRounds(rounds, engine, segment);
  refuseEarlierOfPart(earlier, segment);
  const rate = positive(flags, 'rate');
  const limits = limitsOf(flags);
  if (limits !== undefined && (rate !== undefined || flags.scale !== undefined)) {
    throw new UsageError('--limits says what rate to send at: leave out --rate and --scale');
  }
  return {
    wish: {
      ...given('scenario', textOf(flags, 'scenario')),
      ...given('peakPerSecond', rate),
      ...given('scale', positive(flags, 'scale')),
      ...given('seconds', positive(flags, 'seconds')),
      ...given('clients', whole(flags, 'clients', 10_000)),
      ...given('mostRequests', positive(flags, 'maxRequests')),
      ...given('mostSeconds', positive(flags, 'maxSeconds')),
      thresholds: listOf(flags, 'threshold'),
      // k6 judges all answers by the card's rules, whatever the share.
      isJudged: judgeShare > 0 || engine === 'k6',
      ...given('isAboveLimit', flags.aboveLimit === undefined ? undefined : true),
    },
    allowed: listOf(flags, 'allowLoad'),
    connections: whole(flags, 'connections', MAX_CONNECTIONS) ?? USUAL_CONNECTIONS,
    judgeShare,
    ...given('limits', limits),
    engine,
    ...given('k6', textOf(flags, 'k6')),
    k6Outputs: listOf(flags, 'k6Out'),
    throttleStatuses: statusesOf(flags, engine),
    ...given('segment', segment === undefined ? undefined : segmentOf(segment)),
    ...given('rounds', rounds),
    earlier,
  };
}

function refuseUnfitRounds(
  rounds: number | undefined,
  engine: LoadEngine['name'],
  segment: string | undefined,
): void {
  if (rounds === undefined) return;
  if (engine !== 'open-loop') {
    throw new UsageError(
      `--rounds sends to a control at the same times as to the target, which the engine open-loop does: leave --rounds out, or --engine ${engine}`,
    );
  }
  if (segment !== undefined) {
    throw new UsageError(
      '--rounds is for a run on one machine, beside a control on it: leave --rounds out, or --segment',
    );
  }
}

function statusesOf(flags: Flags, engine: LoadEngine['name']): readonly number[] {
  const statuses = throttleStatuses(flags.throttleStatus);
  if (statuses.length === 0 || engine !== 'k6') return statuses;
  throw new UsageError(
    'k6 takes for throttled what the document says alone: leave --engine k6 out, or --throttle-status',
  );
}

function refuseEarlierOfPart(
  { history, baseline }: EarlierRuns,
  segment: string | undefined,
): void {
  if (segment === undefined || (history === undefined && baseline === undefined)) return;
  throw new UsageError(
    'a part of a run says too little to be compared: leave --history and --baseline out, or --segment',
  );
}

function engineNamed(text: string | undefined): LoadEngine['name'] {
  const [usual = 'open-loop'] = ENGINE_NAMES;
  if (text === undefined) return usual;
  const found = ENGINE_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no engine "${text}".${didYouMean(text, ENGINE_NAMES)} There are ${ENGINE_NAMES.join(', ')}.`,
  );
}

function given<K extends string, T>(
  name: K,
  value: T | undefined,
): Partial<Readonly<Record<K, T>>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Readonly<Record<K, T>>>);
}

function limitsOf(flags: Flags): LimitsWish | undefined {
  const dir = textOf(flags, 'limits');
  const below = positive(flags, 'belowLimit');
  const above = positive(flags, 'aboveLimit');
  if (dir === undefined) {
    if (below === undefined && above === undefined) return undefined;
    throw new UsageError(
      '--below-limit and --above-limit go by limits that were measured: give the folder of a run of assay limits with --limits',
    );
  }
  if ((below === undefined) === (above === undefined)) {
    throw new UsageError(
      '--limits takes one of --below-limit 0.8, to stay below, and --above-limit 1.5, to go above',
    );
  }
  if (below !== undefined && below >= 1) {
    throw new UsageError(`--below-limit is a factor below 1, not ${below}`);
  }
  if (above !== undefined && above <= 1) {
    throw new UsageError(`--above-limit is a factor above 1, not ${above}`);
  }
  return below === undefined
    ? { dir, way: 'above', factor: above ?? 1 }
    : { dir, way: 'below', factor: below };
}

function numberOf(
  flags: Flags,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  const range = most === Infinity ? 'above 0' : `from ${least} to ${most}`;
  throw new UsageError(`--${kebab(name)} takes a number ${range}, not "${text}"`);
}

function positive(flags: Flags, name: string): number | undefined {
  return numberOf(flags, name, { least: Number.MIN_VALUE, most: Infinity });
}

function whole(flags: Flags, name: string, most: number): number | undefined {
  const number = numberOf(flags, name, { least: 1, most });
  if (number === undefined || Number.isInteger(number)) return number;
  throw new UsageError(`--${kebab(name)} takes a whole number, not "${number}"`);
}

function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

function listOf(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

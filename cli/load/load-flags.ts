/** The flags of `assay load`, read. */

import { availableParallelism } from 'node:os';
import { given } from '../../contracts/wire/json.ts';
import type { LoadEngine } from '../../load/engine.ts';
import { type Segment, segmentOf } from '../../load/scenarios/segment.ts';
import { MAX_ROUNDS } from '../../load/trend/rounds.ts';
import { withoutPassword } from '../../target/config/without-password.ts';
import { UsageError } from '../exit-code.ts';
import { addressHeaderOf } from '../flags/address-header.ts';
import type { EarlierRuns } from '../tasks/load/compare-load.ts';
import { didYouMean } from '../near.ts';
import { ENGINE_NAMES } from './engine-names.ts';
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
  /** Of the collector that metrics are sent to. */
  readonly otlp?: string;
  readonly limits?: LimitsWish;
  readonly engine: LoadEngine['name'];
  /** Where k6 is; on the PATH when absent. */
  readonly k6?: string;
  readonly k6Outputs: readonly string[];
  /** The header field that the target believes for the address of a client. */
  readonly addressHeader?: string;
  /** Statuses that count as throttled besides what the document says. */
  readonly throttleStatuses: readonly number[];
  readonly segment?: Segment;
  /** Rounds beside a control; one run without a control when absent. */
  readonly rounds?: number;
  /** Earlier runs to compare with. */
  readonly earlier: EarlierRuns;
}

/** Connections to one origin at the most, if nobody says otherwise. */
export const USUAL_CONNECTIONS = 1_000;
const MAX_CONNECTIONS = 20_000;
/** Judging by all rules takes k6 0.8 ms an answer, and a fifth of that by the card's. */
const USUAL_K6_SHARE = 0.1;
/** With fewer, k6 judges by the card's rules alone. */
const CORES_FOR_ALL_RULES = 4;

/**
 * Reads the flags.
 *
 * @param cores of this machine
 * @throws UsageError when one is not what it should be
 * @throws SegmentError
 */
export function readLoadFlags(flags: Flags, cores: number = availableParallelism()): LoadFlags {
  const engine = engineNamed(textOf(flags, 'engine'));
  const share = numberOf(flags, 'judgeShare', 0, 1);
  const judgeShare = share ?? (engine === 'k6' ? usualK6Share(cores) : 1);
  const segment = textOf(flags, 'segment');
  const rounds = whole(flags, 'rounds', MAX_ROUNDS);
  const earlier = given({
    history: textOf(flags, 'history'),
    baseline: textOf(flags, 'baseline'),
  });
  const [isRounds, isPart] = [rounds !== undefined, segment !== undefined];
  refuseIf(
    isRounds && engine !== 'open-loop',
    `--rounds sends to a control at the same times as to the target, which the engine open-loop does: leave --rounds out, or --engine ${engine}`,
  );
  refuseIf(
    isRounds && isPart,
    '--rounds is for a run on one machine, beside a control on it: leave --rounds out, or --segment',
  );
  refuseIf(
    isPart && Object.keys(earlier).length > 0,
    'a part of a run says too little to be compared: leave --history and --baseline out, or --segment',
  );
  const rate = numberOf(flags, 'rate');
  const limits = limitsOf(flags);
  refuseIf(
    limits !== undefined && (rate !== undefined || flags.scale !== undefined),
    '--limits says what rate to send at: leave out --rate and --scale',
  );
  const wish = {
    scenario: textOf(flags, 'scenario'),
    peakPerSecond: rate,
    scale: numberOf(flags, 'scale'),
    seconds: numberOf(flags, 'seconds'),
    warmUpSeconds: numberOf(flags, 'warmUp', 0),
    clients: whole(flags, 'clients', 10_000),
    mostRequests: numberOf(flags, 'maxRequests'),
    mostSeconds: numberOf(flags, 'maxSeconds'),
    thresholds: listOf(flags, 'threshold'),
    // k6 judges all answers by the card's rules, whatever the share.
    isJudged: judgeShare > 0 || engine === 'k6',
    isAboveLimit: flags.aboveLimit === undefined ? undefined : true,
  };
  const connections = whole(flags, 'connections', MAX_CONNECTIONS) ?? USUAL_CONNECTIONS;
  const statuses = throttleStatuses(flags.throttleStatus);
  refuseIf(
    statuses.length > 0 && engine === 'k6',
    'k6 takes for throttled what the document says alone: leave --engine k6 out, or --throttle-status',
  );
  const header = textOf(flags, 'addressHeader');
  return {
    ...(header === undefined ? {} : { addressHeader: addressHeaderOf(header) }),
    ...{ wish: given(wish), connections, judgeShare, engine, throttleStatuses: statuses, earlier },
    allowed: listOf(flags, 'allowLoad'),
    k6Outputs: listOf(flags, 'k6Out'),
    ...given({ limits, rounds, k6: textOf(flags, 'k6'), otlp: collectorOf(flags) }),
    ...(segment === undefined ? {} : { segment: segmentOf(segment) }),
  };
}

function collectorOf(flags: Flags): string | undefined {
  const url = textOf(flags, 'otlp');
  if (url === undefined || /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    return url;
  throw new UsageError(
    `--otlp takes the http or https URL of a collector, not "${withoutPassword(url)}"`,
  );
}

function usualK6Share(cores: number): number {
  return cores < CORES_FOR_ALL_RULES ? 0 : USUAL_K6_SHARE;
}

function refuseIf(isWrong: boolean, why: string): void {
  if (isWrong) throw new UsageError(why);
}

function engineNamed(text = 'open-loop'): LoadEngine['name'] {
  const found = ENGINE_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no engine "${text}".${didYouMean(text, ENGINE_NAMES)} There are ${ENGINE_NAMES.join(', ')}.`,
  );
}

function limitsOf(flags: Flags): LimitsWish | undefined {
  const dir = textOf(flags, 'limits');
  const below = numberOf(flags, 'belowLimit');
  const above = numberOf(flags, 'aboveLimit');
  const factor = below ?? above;
  refuseIf(
    dir === undefined && factor !== undefined,
    '--below-limit and --above-limit go by limits that were measured: give the folder of a run of assay limits with --limits',
  );
  if (dir === undefined) return undefined;
  if (factor === undefined || (below !== undefined && above !== undefined)) {
    throw new UsageError(
      '--limits takes one of --below-limit 0.8, to stay below, and --above-limit 1.5, to go above',
    );
  }
  const way = below === undefined ? 'above' : 'below';
  refuseIf(
    way === 'below' ? factor >= 1 : factor <= 1,
    `--${way}-limit is a factor ${way} 1, not ${factor}`,
  );
  return { dir, way, factor };
}

/** A number within bounds that count as well; above 0 when they are absent. */
function numberOf(
  flags: Flags,
  name: string,
  least = Number.MIN_VALUE,
  most = Infinity,
): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  const range =
    most < Infinity
      ? `from ${least} to ${most}`
      : least === Number.MIN_VALUE
        ? 'above 0'
        : `of at least ${least}`;
  throw new UsageError(`--${kebab(name)} takes a number ${range}, not "${text}"`);
}

function whole(flags: Flags, name: string, most: number): number | undefined {
  const number = numberOf(flags, name, 1, most);
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

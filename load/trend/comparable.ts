import { total } from '../sums.ts';
import type { Night, NightLoad } from './night.ts';

/** What a kernel keeps for itself differs from boot to boot. */
const MEMORY_SHARE = 0.1;
const RATE_SHARE = 0.02;
/** In shares of all requests. */
const MIX_DIFFERENCE = 0.05;
/** Latencies are those of served answers: if a service refuses more, others are left. */
const SERVED_DIFFERENCE = 0.1;

/**
 * Why a run says nothing of latencies at all, as a clause that follows its name.
 *
 * @returns undefined when it does
 */
export function unfit({ complete, load }: Pick<Night, 'complete' | 'load'>): string | undefined {
  const [invalid] = load.invalid;
  if (invalid !== undefined)
    return `its figures do not count: ${firstSentence(invalid.slice(0, 1000)).slice(0, 200)}`;
  if (!complete) return 'it was cut short';
  const { part, limiter } = load;
  if (limiter !== undefined)
    return `it measured the limiter, as ${limiter.throttled} of ${limiter.sent} requests were throttled`;
  return part && `it is part ${part.index} of ${part.of}, which are compared once merged`;
}

/** Without its full stop, as it becomes part of another one. */
function firstSentence(text: string): string {
  return text.replace(/\.(?:\s.*)?$/s, '');
}

/** What differs between two runs, as words; undefined if it is the same. */
function differs(
  what: string,
  valueOf: (night: Night) => string | number,
  [run, other]: readonly [run: Night, other: Night],
): string | undefined {
  const [now, then] = [valueOf(run), valueOf(other)];
  return then === now ? undefined : `${what} ${then}, not ${now}`;
}

/**
 * Why a run cannot be set beside another one, as a clause.
 *
 * @returns undefined when it can
 */
export function difference(run: Night, other: Night): string | undefined {
  const both = [run, other] as const;
  return (
    differs('its target was', kindOf, both) ??
    differs('its target was', hostsOf, both) ??
    differs('its scenario was', ({ load }) => load.scenario, both) ??
    differs('its warm-up was', ({ load }) => `${load.warmUpSeconds ?? 0} s`, both) ??
    differs('its engine was', ({ load }) => load.engine.name, both) ??
    otherSteps(stepsOf(run), stepsOf(other)) ??
    otherMachine(both) ??
    otherAnswers(run.load, other.load)
  );
}

/** What differs between comparable runs and may matter all the same, in a few words. */
export function remarks(run: Night, other: Night): string[] {
  const both = [run, other] as const;
  return [
    differs('Node', ({ load }) => load.machine?.node ?? '', both),
    differs(`engine ${run.load.engine.name}`, ({ load }) => load.engine.version, both),
    differs('Assay', ({ tool }) => tool, both),
  ].filter((words) => words !== undefined);
}

function kindOf({ target }: Night): string {
  return target.kind === 'reference' ? 'the embedded reference service' : 'a service at URLs';
}

/** Names of hosts alone: a service that is started for each run has another port each time. */
function hostsOf({ target }: Night): string {
  const hosts = Object.values(target.urls).map((url) =>
    URL.canParse(url) ? new URL(url).hostname : url.slice(0, 100),
  );
  return [...new Set(hosts)].toSorted().join(', ');
}

type Step = NightLoad['steps'][number];

/** The steps of one round: those of all are added up, and a night need not count all of them. */
function stepsOf({ load: { steps, rounds = [], countedRounds = rounds.length } }: Night): Step[] {
  return steps.map((step) => ({ ...step, seconds: step.seconds / Math.max(1, countedRounds) }));
}

function otherSteps(run: readonly Step[], other: readonly Step[]): string | undefined {
  if (run.length !== other.length) {
    return `its scenario had ${other.length} steps, not ${run.length}`;
  }
  for (const [at, now] of run.entries()) {
    const then = other[at];
    if (
      then !== undefined &&
      (now.name !== then.name ||
        isFar(now.seconds, then.seconds, RATE_SHARE) ||
        isFar(now.offeredPerSecond, then.offeredPerSecond, RATE_SHARE))
    ) {
      return `its step ${at + 1} was ${inWords(then)}, not ${inWords(now)}`;
    }
  }
  return undefined;
}

function inWords({ name, seconds, offeredPerSecond }: Step): string {
  return `${name} of ${Math.round(seconds)} s at ${Number(offeredPerSecond.toPrecision(3))}/s`;
}

function otherMachine(both: readonly [run: Night, other: Night]): string | undefined {
  const [now, then] = both.map(({ load }) => load.machine);
  if (now === undefined) return 'which machines this run was sent from is not known';
  if (then === undefined) return 'which machines it was sent from is not known';
  const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  const words =
    differs('a platform:', ({ load }) => load.machine?.platform ?? '', both) ??
    differs('an architecture:', ({ load }) => load.machine?.arch ?? '', both) ??
    differs('a CPU:', ({ load }) => load.machine?.cpuModel ?? '', both) ??
    differs('cores:', ({ load }) => load.machine?.cores ?? '', both) ??
    (isFar(now.memoryBytes, then.memoryBytes, MEMORY_SHARE)
      ? `memory: ${inGb(then.memoryBytes)}, not ${inGb(now.memoryBytes)}`
      : undefined);
  return words === undefined ? undefined : `it ran on another machine (${words})`;
}

function otherAnswers(run: NightLoad, other: NightLoad): string | undefined {
  const [now, then] = [sharesOf(run), sharesOf(other)];
  const moved = [...new Set([...now.keys(), ...then.keys()])].find(
    (operation) =>
      now.has(operation) !== then.has(operation) ||
      Math.abs((now.get(operation) ?? 0) - (then.get(operation) ?? 0)) > MIX_DIFFERENCE,
  );
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  if (moved !== undefined) {
    return `its mix was another one (${moved}: ${percent(then.get(moved) ?? 0)} of the requests, not ${percent(now.get(moved) ?? 0)})`;
  }
  const [served, servedThen] = [servedShare(run), servedShare(other)];
  return Math.abs(served - servedThen) > SERVED_DIFFERENCE
    ? `it was served ${percent(servedThen)} of its requests, not ${percent(served)}`
    : undefined;
}

/** Share of all requests by operation. */
function sharesOf({ operations }: NightLoad): Map<string, number> {
  const all = total(operations.map(({ counts }) => counts.sent));
  return new Map(
    operations.map(({ operation, counts }) => [operation, counts.sent / Math.max(1, all)]),
  );
}

function servedShare({ whole: { counts } }: NightLoad): number {
  return counts.served / Math.max(1, counts.sent);
}

function isFar(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) > share * Math.max(one, other);
}

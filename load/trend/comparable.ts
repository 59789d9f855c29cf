import type { LoadMachine } from '../../contracts/run/load/load-run.ts';
import type { Night, NightLoad } from './night.ts';

/** What a kernel keeps for itself differs from boot to boot. */
const MEMORY_SHARE = 0.1;
const RATE_SHARE = 0.02;
/** In shares of all requests. */
const MIX_DIFFERENCE = 0.05;
/** Latencies are those of served answers: where a service refuses more, others are left. */
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
  const { part } = load;
  return part === undefined
    ? undefined
    : `it is part ${part.index} of ${part.of}, which are compared once merged`;
}

/** Without its full stop, as it becomes part of another one. */
function firstSentence(text: string): string {
  return text.replace(/\.(?:\s.*)?$/s, '');
}

/**
 * Why a run cannot be set beside another one, as a clause.
 *
 * @returns undefined when it can
 */
export function difference(run: Night, other: Night): string | undefined {
  return (
    otherService(run, other) ??
    otherScenario(run.load, other.load) ??
    otherMachine(run.load.machine, other.load.machine) ??
    otherAnswers(run.load, other.load)
  );
}

/** What differs between comparable runs and may matter all the same, in a few words. */
export function remarks(run: Night, other: Night): string[] {
  const reported = (what: string, then: string, now: string): string[] =>
    then === now ? [] : [`${what} ${then}, not ${now}`];
  return [
    ...reported('Node', other.load.machine?.node ?? '', run.load.machine?.node ?? ''),
    ...reported(
      `engine ${run.load.engine.name}`,
      other.load.engine.version,
      run.load.engine.version,
    ),
    ...reported('Assay', other.tool, run.tool),
  ];
}

function otherService(run: Night, other: Night): string | undefined {
  if (run.target.kind !== other.target.kind) {
    return `its target was ${kindOf(other)}, not ${kindOf(run)}`;
  }
  const [now, then] = [hostsOf(run), hostsOf(other)];
  return now === then ? undefined : `its target was ${then}, not ${now}`;
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

function otherScenario(run: NightLoad, other: NightLoad): string | undefined {
  if (run.scenario !== other.scenario) {
    return `its scenario was ${other.scenario}, not ${run.scenario}`;
  }
  if (run.engine.name !== other.engine.name) {
    return `its engine was ${other.engine.name}, not ${run.engine.name}`;
  }
  if (run.steps.length !== other.steps.length) {
    return `its scenario had ${other.steps.length} steps, not ${run.steps.length}`;
  }
  const at = run.steps.findIndex((step, place) => {
    const then = other.steps[place];
    return (
      step.name !== then?.name ||
      isFar(step.seconds, then.seconds, RATE_SHARE) ||
      isFar(step.offeredPerSecond, then.offeredPerSecond, RATE_SHARE)
    );
  });
  const [now, then] = [run.steps[at], other.steps[at]];
  return now === undefined || then === undefined
    ? undefined
    : `its step ${at + 1} was ${inWords(then)}, not ${inWords(now)}`;
}

function inWords({ name, seconds, offeredPerSecond }: NightLoad['steps'][number]): string {
  return `${name} of ${Math.round(seconds)} s at ${Number(offeredPerSecond.toPrecision(3))}/s`;
}

function otherMachine(
  run: LoadMachine | undefined,
  other: LoadMachine | undefined,
): string | undefined {
  if (run === undefined) return 'which machines this run was sent from is not known';
  if (other === undefined) return 'which machines it was sent from is not known';
  const differs = (['platform', 'arch', 'cpuModel', 'cores'] as const).find(
    (name) => run[name] !== other[name],
  );
  const words = {
    platform: 'a platform',
    arch: 'an architecture',
    cpuModel: 'a CPU',
    cores: 'cores',
  };
  if (differs !== undefined) {
    return `it ran on another machine (${words[differs]}: ${other[differs]}, not ${run[differs]})`;
  }
  const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  return isFar(run.memoryBytes, other.memoryBytes, MEMORY_SHARE)
    ? `it ran on another machine (memory: ${inGb(other.memoryBytes)}, not ${inGb(run.memoryBytes)})`
    : undefined;
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
  const all = operations.reduce((sum, { counts }) => sum + counts.sent, 0);
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

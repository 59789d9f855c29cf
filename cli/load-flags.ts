/** The flags of `assay load`, read. */

import { UsageError } from './exit-code.ts';
import type { LimitsWish } from './load-limits.ts';
import type { ScenarioWish } from './load-scenario.ts';

type Flags = Readonly<Record<string, unknown>>;

/** What the flags ask for. */
export interface LoadFlags {
  readonly wish: Omit<ScenarioWish, 'maxRate'>;
  readonly allowed: readonly string[];
  readonly connections: number;
  readonly judgeShare: number;
  readonly limits?: LimitsWish;
}

/** Connections to one origin at the most, where nobody says otherwise. */
export const USUAL_CONNECTIONS = 1_000;
const MOST_CONNECTIONS = 20_000;

/**
 * Reads the flags.
 *
 * @throws UsageError when one is not what it should be
 */
export function readLoadFlags(flags: Flags): LoadFlags {
  const judgeShare = numberOf(flags, 'judgeShare', { least: 0, most: 1 }) ?? 1;
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
      isJudged: judgeShare > 0,
    },
    allowed: listOf(flags, 'allowLoad'),
    connections: whole(flags, 'connections', MOST_CONNECTIONS) ?? USUAL_CONNECTIONS,
    judgeShare,
    ...given('limits', limits),
  };
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

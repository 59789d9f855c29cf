import { MendableError } from '../../contracts/wire/mendable-error.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { MAX_PARTS } from '../scenarios/segment.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';

/** One part of a run on several machines, as its record describes it. */
export interface LoadPart {
  /** As the user knows it, e.g. the folder of its record. */
  readonly name: string;
  /** When it began, in milliseconds since the epoch, by its machine's clock. */
  readonly startedAtMs: number;
  readonly seed: number;
  /** Digest of the contract that it judged by. */
  readonly contract: string;
  /** What it loaded, e.g. its URLs. */
  readonly target: string;
  readonly load: RunLoad;
}

/** Thrown when records are no parts of one run; the message says why, of each that is wrong. */
export class UnfitParts extends MendableError {
  override readonly name = 'UnfitParts';

  /** @param what they are, `records` or `samples` */
  constructor(problems: readonly string[], what = 'records') {
    const reported = problems.slice(0, MAX_REPORTED);
    if (problems.length > reported.length)
      reported.push(`and ${problems.length - reported.length} more.`);
    super(
      `these ${what} cannot be merged into one run:\n${reported.map((one) => `  ${one}`).join('\n')}`,
    );
  }
}

/** A part whose place in the run is known. */
export interface PlacedPart extends LoadPart {
  /** From 1. */
  readonly index: number;
}

/** Parts begin within this many milliseconds of each other, or within a share of the run's length. */
const MAX_SKEW_MS = 5_000;
const MAX_SKEW_SHARE = 0.05;
const MAX_REPORTED = 20;

/**
 * The parts in their order.
 *
 * @throws {UnfitParts} when one is missing or doubled, or they are of different runs
 */
export function placedParts<Part extends LoadPart>(parts: readonly Part[]): (Part & PlacedPart)[] {
  const problems: string[] = [];
  const placed = parts.flatMap((part): (Part & PlacedPart)[] => {
    const { load } = part;
    if (load.rounds !== undefined) {
      problems.push(`${part.name} ran in rounds beside a control, which cannot be added up.`);
    }
    if (load.part !== undefined) return [{ ...part, index: load.part.index }];
    problems.push(`${part.name} is a whole run, none of whose parts is elsewhere (--segment i/n).`);
    return [];
  });
  const [first] = placed;
  if (first === undefined)
    throw new UnfitParts(problems.length > 0 ? problems : ['there are none.']);
  for (const part of placed) problems.push(...differences(first, part));
  const seconds = placed
    .flatMap(({ load }) => load.steps)
    .reduce((most, step) => Math.max(most, step.beginsSeconds + step.seconds), 0);
  problems.push(...misplaced(placed, first.load.part?.of ?? 0), ...skew(placed, seconds));
  if (problems.length > 0) throw new UnfitParts(problems);
  return placed.sort((a, b) => a.index - b.index);
}

/** What every part has in common with the first. */
const COMMON: Readonly<Record<string, (one: PlacedPart) => string | number>> = {
  scenario: ({ load }) => load.scenario,
  'number of parts': ({ load }) => load.part?.of ?? 0,
  engine: ({ load: { engine } }) => `${engine.name} ${engine.version}`,
  seed: ({ seed }) => seed,
  contract: ({ contract }) => contract,
  target: ({ target }) => target,
  plan: ({ load }) => load.part?.plan ?? '',
};

function differences(first: PlacedPart, part: PlacedPart): string[] {
  // What follows from a difference that was reported says nothing more.
  const differs = Object.entries(COMMON).find(([, valueOf]) => valueOf(part) !== valueOf(first));
  if (differs === undefined) return [];
  const [what, valueOf] = differs;
  return [
    `${part.name} has another ${what} than ${first.name}: ${shown(valueOf(part))}, not ${shown(valueOf(first))}. Only parts of the same run can be merged.`,
  ];
}

function shown(value: string | number): string {
  const text = String(value);
  // Of a digest its beginning is enough.
  const most = /^[\da-f]{40,}$/.test(text) ? 12 : 200;
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/**
 * What is wrong with the places of parts: one is missing, or there more than once.
 *
 * @param what the parts left, e.g. `records`
 */
export function misplaced(
  parts: readonly Pick<PlacedPart, 'index' | 'name'>[],
  partCount: number,
  what = 'records',
): string[] {
  const doubled = groupsOf(parts, ({ index }) => index)
    .filter((same) => same.length > 1)
    .map((same) => {
      const names = same.map(({ name }) => name).join(', ');
      return `part ${same[0].index} is there more than once: ${names}. Give one of them.`;
    });
  // What a record says may be any number.
  if (partCount > MAX_PARTS) return [`a run has ${MAX_PARTS} parts at the most, not ${partCount}.`];
  const beyond = parts
    .filter(({ index }) => index > partCount)
    .map(({ index, name }) => `${name} is part ${index} of ${partCount}, which there is not.`);
  const there = new Set(parts.map(({ index }) => index));
  const missing = Array.from({ length: partCount }, (_, at) => at + 1).filter(
    (at) => !there.has(at),
  );
  const [which, is] = missing.length === 1 ? ['part', 'is'] : ['parts', 'are'];
  const lack = `${which} ${missing.slice(0, MAX_REPORTED).join(', ')} of ${partCount} ${is} missing. Give the ${what} of all of them.`;
  return [...doubled, ...beyond, ...(missing.length === 0 ? [] : [lack])];
}

/**
 * Parts that did not run at the same time were no load together.
 *
 * @param seconds of the whole run
 */
export function skew(
  parts: readonly Pick<LoadPart, 'name' | 'startedAtMs'>[],
  seconds: number,
): string[] {
  const sorted = [...parts].sort((a, b) => a.startedAtMs - b.startedAtMs);
  const [earliest, latest] = [sorted[0], sorted.at(-1)];
  if (earliest === undefined || latest === undefined) return [];
  const most = Math.max(MAX_SKEW_MS, MAX_SKEW_SHARE * seconds * 1000);
  const apart = latest.startedAtMs - earliest.startedAtMs;
  if (apart <= most) return [];
  return [
    `${latest.name} began ${inSeconds(apart)} s after ${earliest.name}, and ${inSeconds(most)} s is the most: the service did not have their load together. Start all parts at the same time; if they were, set their clocks.`,
  ];
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

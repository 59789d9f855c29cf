import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../../contracts/document/regular-file.ts';
import { timesToHold } from '../../../contracts/judging/chance/times-to-hold.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import { isObject, omit } from '../../../contracts/wire/json.ts';
import { heldOf, rateIn } from './replay-word.ts';

const MAX_BYTES = 1_048_576;

/** What became of the files of regressions. */
export interface KeptRuns {
  /** Names of those that were removed. */
  readonly removed: readonly string[];
  /** Sentences on files that could not be written. */
  readonly notices: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Notes in each regression's file what a run says of it: how often the rule of what shows at times held, and, if
 * regressions are to be removed, in how many runs, one after the other, none of its rules showed. What shows again
 * begins anew, and what a run says nothing of stays as it is.
 *
 * @param runs from so many on a regression is removed; none is when absent
 */
export function noteKeptRuns(dir: string, rows: readonly RegressionRow[], runs?: number): KeptRuns {
  const [removed, notices]: [string[], string[]] = [[], []];
  for (const name of new Set(rows.map((row) => row.name))) {
    const file = join(dir, `${name}.json`);
    if (!existsSync(file)) continue;
    try {
      const own = rows.filter((row) => row.name === name);
      const before: unknown = JSON.parse(readRegularFile(file, MAX_BYTES));
      if (!isObject(before)) continue;
      const after = withKeptRuns(withHeld(before, own), own, runs);
      if (after === undefined) {
        rmSync(file);
        removed.push(name);
      } else if (JSON.stringify(after) !== JSON.stringify(before)) replace(file, after);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notices.push(`What became of the regression ${name} could not be kept: ${reason}.`);
    }
  }
  return { removed, notices };
}

/** Whole or not at all, and never through a link that somebody put there. */
function replace(file: string, json: Json): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, `${JSON.stringify(json, undefined, 2)}\n`, { flag: 'wx' });
  renameSync(part, file);
}

function withHeld(json: Json, rows: readonly RegressionRow[]): Json {
  const { also } = json;
  const first = heldIn(json, rows);
  return Array.isArray(also)
    ? { ...first, also: also.map((one: unknown) => (isObject(one) ? heldIn(one, rows) : one)) }
    : first;
}

/** What is kept of one rule that the requests broke. */
function heldIn(broken: Json, rows: readonly RegressionRow[]): Json {
  const row = rows.find(({ rule }) => rule === broken.rule);
  const rate = rateIn(broken.rate);
  if (row === undefined || rate === undefined) return broken;
  const before = heldOf(broken.held, rate);
  const wanted = timesToHold(rate);
  const held = Math.min(wanted, before + (row.held ?? 0));
  if (row.verdict !== 'shown') return held === before ? broken : { ...broken, held };
  const anew = omit(broken, 'held');
  // What was called gone is another fault now; else it shows more seldom than was known.
  if (before >= wanted) return anew;
  // What was met elsewhere in the run was sent nobody knows how often.
  const times = row.held === undefined ? 0 : 1;
  return { ...anew, rate: { broken: rate.broken + times, judged: rate.judged + held + times } };
}

/** @returns undefined if the regression is to be removed */
function withKeptRuns(json: Json, rows: readonly RegressionRow[], runs?: number): Json | undefined {
  if (rows.some(({ verdict }) => verdict === 'shown'))
    return json.keptRuns === undefined ? json : { ...json, keptRuns: 0 };
  if (runs === undefined || rows.some(({ verdict }) => verdict !== 'not-shown')) return json;
  const before = Number.isSafeInteger(json.keptRuns) ? Math.max(0, Number(json.keptRuns)) : 0;
  return before + 1 >= runs ? undefined : { ...json, keptRuns: before + 1 };
}

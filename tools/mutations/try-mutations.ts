import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MutationError, mutated, type Mutation } from './mutation.ts';
import type { Outcome } from './score.ts';
import { runSpecs } from './spec-run.ts';

/** Specs that take so many times as long as without the edit, and this time for starting, are endless. */
const PATIENCE = 10;
const STARTING_SECONDS = 60;
const BASELINE_LIMIT_SECONDS = 1_800;

/** What to try, and where. */
export interface Trying {
  readonly mutations: readonly Mutation[];
  /** Copies of the checkout: as many mutations are tried at a time. */
  readonly folders: readonly string[];
  /** Called with each outcome as it comes. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Makes each edit in a copy of the checkout, runs its specs, and takes it back.
 *
 * @throws {MutationError} if an edit cannot be made, or a spec fails without one
 */
export async function tryMutations({
  mutations,
  folders,
  onOutcome,
}: Trying): Promise<readonly Outcome[]> {
  const [first] = folders;
  if (first === undefined) throw new MutationError('there is no copy of the checkout to work in');
  if (mutations.length === 0) throw new MutationError('no mutation has any of these words');
  for (const one of mutations) mutated(readFileSync(path.join(first, one.file), 'utf8'), one);
  const specs = [...new Set(mutations.flatMap((one) => one.specs))];
  const bounds = { limitSeconds: BASELINE_LIMIT_SECONDS, workers: folders.length };
  const baseline = await runSpecs(first, specs, bounds);
  if (baseline.kind !== 'passed') {
    const why = baseline.failed[0] ?? `they ${baseline.kind}`;
    throw new MutationError(`the specs are not green without any edit: ${why}`);
  }
  const limitSecondsOf = ({ specs: own }: Mutation): number =>
    own.reduce(
      (sum, spec) => sum + PATIENCE * (baseline.secondsOf.get(spec) ?? 0),
      STARTING_SECONDS,
    );
  const outcomes: Outcome[] = [];
  const waiting = [...mutations];
  const work = async (folder: string): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const outcome = await tried(folder, one, limitSecondsOf(one));
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(folders.map(work));
  return outcomes;
}

async function tried(folder: string, mutation: Mutation, limitSeconds: number): Promise<Outcome> {
  const file = path.join(folder, mutation.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(text, mutation));
  try {
    return { mutation, run: await runSpecs(folder, mutation.specs, { limitSeconds, workers: 1 }) };
  } finally {
    writeFileSync(file, text);
  }
}

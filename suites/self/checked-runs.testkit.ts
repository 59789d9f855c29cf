import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { exitCodeOf } from '../../cli/exit-code.ts';
import { judgeAgainTask } from '../../cli/tasks/judge.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { assay, type Ended, runOf, scratch, verdictsOf } from './command-line.ts';
import { type Front, libraryBehind, libraryConfig } from './fronted-services.testkit.ts';

/** A folder of its own for each test. */
export const folder: () => string = scratch();

/** A run of `assay check`, and its record. */
export interface Checked extends Ended {
  readonly run: RunJson;
  readonly dir: string;
}

/** Checks what stands behind options, and judges its record again. */
export async function checked(args: readonly string[], cwd?: string): Promise<Checked> {
  const dir = join(folder(), 'record');
  const all = ['check', '--seed', '1', '--timeout-ms', '1000', '--out', dir, ...args];
  const ended = await assay(all, cwd === undefined ? {} : { cwd });
  // Judging the record again says the same, here without a process of its own.
  const { run: again } = await judgeAgainTask(
    {
      ...{ dir, config: { contracts: [], allowRefs: [] } },
      ...{ waivers: [], leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER },
    },
    { inHand: new Int32Array(2) },
  );
  expect(exitCodeOf(again), ended.said).toBe(ended.code);
  return { ...ended, dir, run: runOf(dir) };
}

/** Checks the library behind a front. */
export async function checkedLibrary(front: Front, isEmpty = false): Promise<Checked> {
  const url = await libraryBehind(front, { isEmpty });
  return checked([], libraryConfig(folder(), url));
}

/** Ids of the rules that a run found broken. */
export const failed: (seen: Checked) => string[] = ({ run }) =>
  Object.entries(verdictsOf(run))
    .filter(([, verdict]) => verdict === 'fail' || verdict === 'warn')
    .map(([id]) => id);

/** Undecided, with no rule broken, and a sentence that is also the headline of JUnit and the terminal. */
export function expectUndecided(seen: Checked, words: RegExp): void {
  expect(seen.code, seen.said).toBe(3);
  expect(seen.run.outcome).toBe('undecided');
  expect(Object.values(verdictsOf(seen.run))).not.toContain('fail');
  expect(seen.run.notices[0]).toMatch(words);
  expect(seen.stdout).toMatch(/^\? undecided/m);
  expect(readFileSync(join(seen.dir, 'junit.xml'), 'utf8')).toContain('undecided');
  expect(seen.said).not.toContain('conforms:');
}

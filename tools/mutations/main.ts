/**
 * `npm run test:mutation`: makes each edit of the table in a copy of the checkout, and looks whether the
 * unit specs that are named beside it fail. Exit code 1 when too many edits survive. For a checkout only.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { print, notify } from '../../cli/output.ts';
import { copyOf } from './copy.ts';
import { MutationError } from './mutation.ts';
import { MIN_KILLED_SHARE, outcomeLine, shareKilled, summaryOf } from './score.ts';
import { MUTATIONS } from './table.ts';
import { tryMutations } from './try-mutations.ts';

const USAGE = 'usage: npm run test:mutation -- [--only WORD]… [--jobs N]';

const { only, jobs } = readFlags();
const mutations = MUTATIONS.filter(
  ({ file, breaks }) =>
    only.length === 0 || only.some((word) => `${file} ${breaks}`.toLowerCase().includes(word)),
);
const startedMs = performance.now();
const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
try {
  for (let job = 0; job < jobs; job += 1) folders.push(copyOf(packageRoot(import.meta.url)));
  const outcomes = await tryMutations({
    mutations,
    folders,
    onOutcome: (outcome) => {
      print(`${outcomeLine(outcome)}\n`);
    },
  });
  const minutes = (performance.now() - startedMs) / 60_000;
  print(`\n${summaryOf(outcomes)}in ${minutes.toFixed(1)} minutes\n`);
  process.exitCode = shareKilled(outcomes) < MIN_KILLED_SHARE ? 1 : 0;
} catch (error) {
  if (!(error instanceof MutationError)) throw error;
  notify(`test:mutation: ${error.message}`);
  process.exitCode = 2;
}

/** Ends the process with exit code 2 if a flag is none. */
function readFlags(): { readonly only: readonly string[]; readonly jobs: number } {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: [] },
        jobs: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
      },
    });
    const count = Number(values.jobs);
    if (!Number.isInteger(count) || count < 1 || count > 16) {
      throw new Error(`--jobs is a number from 1 to 16, not ${values.jobs}`);
    }
    return { only: values.only.map((word) => word.toLowerCase()), jobs: count };
  } catch (error) {
    notify(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

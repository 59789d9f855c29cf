/** What GitHub Actions is given of a run: the summary of its step, and annotations. */

import { appendFileSync, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { OperationLine } from '../../contracts/document/openapi/operation-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { systemWords } from '../../target/record/record-error.ts';
import { withoutCommands } from '../ci-commands.ts';
import { withoutSecrets } from '../safe-text.ts';
import { printCommands, notify } from '../output.ts';
import { placingOf } from './placing.ts';
import { runWithoutSecrets } from '../record/record.ts';
import { startTask } from '../threads/task.ts';

/** A larger summary is dropped whole. */
const MAX_SUMMARY_BYTES = 1_000_000;
/** Looking for the lines of operations may take this long. */
const LOOKING_MS = 10_000;

/** What is reported, and where it is. */
export interface ReportedRun {
  readonly run: RunJson;
  /** Folder of the record. */
  readonly dir: string;
  /** The configuration file that was named, if one was. */
  readonly config?: unknown;
  /** Whether the contracts of the record are those that the run was judged by; default yes. */
  readonly hasContracts?: boolean;
}

/**
 * Under GitHub Actions, adds a run to the summary of the step, and prints annotations on standard error,
 * which the runner reads as it reads standard output. Elsewhere it does nothing. What fails here says
 * nothing of the service, so it is reported and changes nothing.
 */
export async function reportToActions(reported: ReportedRun): Promise<void> {
  const { env } = process;
  if (env.GITHUB_ACTIONS !== 'true') return;
  try {
    const { dir } = reported;
    // Before anything is escaped, which would hide them.
    const run = runWithoutSecrets(reported.run);
    const sources = [{ run, exchanges: new Map(), leftOut: 0, name: basename(dir) }];
    const { renderMarkdown } = await import('../../reports/forge/markdown.ts');
    summarise(env.GITHUB_STEP_SUMMARY, withoutCommands(withoutSecrets(renderMarkdown(sources))));
    const { renderAnnotations } = await import('../../reports/forge/annotations.ts');
    const contractFiles = run.contract.files ?? [];
    const lines = await linesOf(reported);
    const around = { cwd: process.cwd(), env, config: reported.config };
    const placing = placingOf([{ contractFiles, lines }], around);
    printCommands(renderAnnotations(sources, placing), 'stderr');
  } catch (error) {
    notify(`assay: GitHub Actions was not given the run: ${systemWords(error)}`);
  }
}

/** Adds a text to the summary of the step, which others may have written to. */
function summarise(file: string | undefined, text: string): void {
  if (file === undefined || file === '') return;
  try {
    const bytes = existsSync(file) ? statSync(file).size : 0;
    if (bytes + Buffer.byteLength(text) > MAX_SUMMARY_BYTES) {
      notify('assay: the summary of this step is full: what this run came to is not in it.');
      return;
    }
    appendFileSync(file, bytes === 0 ? text : `\n${text}`);
  } catch (error) {
    notify(`assay: the summary of the step, ${file}, was not written: ${systemWords(error)}`);
  }
}

/** Contracts are looked at in a thread of its own, as everywhere; what comes to no end has no lines. */
async function linesOf({
  run,
  dir,
  hasContracts = true,
}: ReportedRun): Promise<readonly OperationLine[]> {
  const findings = run.rules.flatMap((rule) => rule.findings);
  const operations = [...new Set(findings.flatMap(({ operation = [] }) => operation))];
  const isNeeded = hasContracts && operations.length > 0 && run.contract.files !== undefined;
  if (!isNeeded) return [];
  const clock = createSystemClock();
  const deadlineMs = clock.nowMs() + LOOKING_MS;
  const ended = await startTask('operation-lines', { dir, operations }, clock, deadlineMs).ended;
  return ended.kind === 'done' ? ended.value : [];
}

#!/usr/bin/env node
/** Imports next to nothing, so that a machine on which the rest cannot be loaded is told, not blamed on anyone. */

import { machineFailureIn, machineFailureOf } from '../contracts/wire/machine/machine-failure.ts';
import { openFileLimit } from './open-files.ts';

/** Exit code of a run in which Assay itself failed. */
const FAILED = 4;
/** Loading opens many files at once; with fewer it may fail, and be told of as a file that is not there. */
const ENOUGH_FILES = 256;

try {
  await import('./command-line.ts');
} catch (error) {
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const isScarce = openFileLimit() < ENOUGH_FILES;
  const machine = machineFailureIn(message) ?? (isScarce ? machineFailureOf('EMFILE') : undefined);
  const why =
    machine === undefined ? message : `this machine failed, not the target: ${machine}. ${message}`;
  process.stderr.write(`assay: Assay cannot start: ${why}\n`);
  process.exitCode = FAILED;
}

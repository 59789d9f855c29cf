#!/usr/bin/env node
/** Imports next to nothing, so that a machine on which the rest cannot be loaded is told, not blamed on anyone. */

import { machineFailureBehind } from './open-files.ts';

/** Exit code of a run in which Assay itself failed. */
const FAILED = 4;

try {
  await import('./command-line.ts');
} catch (error) {
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const machine = machineFailureBehind(message);
  const why =
    machine === undefined ? message : `this machine failed, not the target: ${machine}. ${message}`;
  process.stderr.write(`assay: Assay cannot start: ${why}\n`);
  process.exitCode = FAILED;
}

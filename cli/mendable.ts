import { ContractError } from '../contracts/document/contract-error.ts';
import { ListenError, NoLoopback } from '../fixtures/service/reference/listen-error.ts';
import { ConfigError } from '../target/config/config.ts';
import {
  RecordAltered,
  RecordCorrupt,
  RecordExists,
  RecordNotWritten,
  RecordRefused,
} from '../target/record/record-error.ts';
import { NoTempFolder } from '../target/record/temp-folder.ts';
import { SecretUnfit } from '../target/secrets/unfit-secret.ts';
import { RegressionError } from '../suites/properties/replay/regressions.ts';
import { K6Missing } from '../load/engines/k6/k6-binary.ts';
import { UnfitPlan } from '../load/engines/k6/k6-plan.ts';
import { UnfitParts } from '../load/merge/part.ts';
import { NotAHistogram } from '../load/samples/hdr-text.ts';
import { ScenarioError } from '../load/scenarios/scenario.ts';
import { SegmentError } from '../load/scenarios/segment.ts';
import { ThresholdError } from '../contracts/run/load/threshold.ts';
import { HistoryUnreadable } from '../load/trend/history.ts';
import { PageTooLarge } from '../reports/html/page-too-large.ts';
import { ReplayError } from '../suites/properties/replay/replay.ts';
import { CertificateRefused } from './tasks/release/certificate-error.ts';
import { EXIT, type ExitCode, OutOfTime, UsageError } from './exit-code.ts';
import { TaskFailed, type Thrown } from './threads/task.ts';

type ErrorClass = abstract new (...values: never[]) => Error;

/** Errors of whoever called: the message says what to do. */
const WRONG_USE: readonly ErrorClass[] = [
  ConfigError,
  ContractError,
  HistoryUnreadable,
  K6Missing,
  ListenError,
  PageTooLarge,
  RecordExists,
  RecordRefused,
  RegressionError,
  ReplayError,
  SecretUnfit,
  ScenarioError,
  SegmentError,
  ThresholdError,
  UnfitParts,
  UnfitPlan,
  UsageError,
];

/** Records and certificates that are not what they say they are, or cannot be written: no verdict, and no wrong use. */
const NO_RECORD: readonly ErrorClass[] = [
  CertificateRefused,
  NotAHistogram,
  RecordAltered,
  RecordCorrupt,
  RecordNotWritten,
];

/** What this machine lacks: no wrong use. */
const MACHINE: readonly ErrorClass[] = [NoLoopback, NoTempFolder];

/** The exit code of an error whose message tells a person enough; undefined for faults of Assay. */
export function exitOf(error: unknown): ExitCode | undefined {
  if (error instanceof TaskFailed) return error.exit;
  if (error instanceof OutOfTime) return EXIT.undecided;
  if (WRONG_USE.some((kind) => error instanceof kind)) return EXIT.wrongUse;
  return [...NO_RECORD, ...MACHINE].some((kind) => error instanceof kind) ? EXIT.failed : undefined;
}

/** An error as it passes from one thread to another. */
export function thrownOf(error: unknown): Thrown {
  const exit = exitOf(error);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(exit === undefined ? {} : { exit }),
  };
}

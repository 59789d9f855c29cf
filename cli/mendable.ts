import { ContractError } from '../contracts/contract-error.ts';
import { ListenError } from '../fixtures/reference/listen.ts';
import { ConfigError } from '../fixtures/target/config.ts';
import { RecordCorrupt } from '../fixtures/target/record-reader.ts';
import { RecordExists } from '../fixtures/target/recorder.ts';
import { SecretTooShort } from '../fixtures/target/redactor.ts';
import { RegressionError } from '../suites/properties/regressions.ts';

/** Errors whose message tells a person what to do; all others are faults of Assay. */
export const MENDABLE: readonly (abstract new (...values: never[]) => Error)[] = [
  ConfigError,
  ContractError,
  ListenError,
  RecordCorrupt,
  RecordExists,
  RegressionError,
  SecretTooShort,
];

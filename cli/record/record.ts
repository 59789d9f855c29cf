import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';
import { renderJUnit } from '../../reports/junit/junit.ts';
import { withoutSecrets } from '../safe-text.ts';
import { writeWhole } from './write-whole.ts';

/** The findings of a judged run, one per line. */
export const FINDINGS_FILE = 'findings.ndjson';
/** The verdicts of a judged run as test cases. */
export const JUNIT_FILE = 'junit.xml';

/**
 * Writes what machines read of a judged run: findings.ndjson, junit.xml and run.json.
 *
 * @param seal is called once the first two are there, before run.json is
 * @returns the run as it was written, without secrets
 * @throws RecordNotWritten when the system refuses one of them; those that it takes are written
 */
export function writeJudged(
  dir: string,
  judged: RunJson,
  seal: (run: RunJson) => void = () => undefined,
): RunJson {
  const run = runWithoutSecrets(judged);
  const findings = run.rules.flatMap(({ id, level, source, verdict, findings: found }) =>
    found.map((finding) => JSON.stringify({ rule: id, level, source, verdict, ...finding })),
  );
  const write = (file: string, text: string): void => {
    writeWhole(join(dir, file), text);
  };
  const steps: readonly (() => void)[] = [
    () => {
      write(FINDINGS_FILE, findings.map((line) => `${line}\n`).join(''));
    },
    () => {
      write(JUNIT_FILE, renderJUnit(run));
    },
    () => {
      // A summary that its record does not name is no evidence; the one before it stays.
      seal(run);
      write(SUMMARY_FILE, summaryText(run));
    },
  ];
  let refused: unknown;
  // What can be kept is, run.json above all: the others can be made of it again.
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused as Error;
  return run;
}

/** `run.json` of a run without secrets, to the last byte. */
export function summaryText(run: RunJson): string {
  return `${JSON.stringify(run, undefined, 2)}\n`;
}

/** The digest of a summary as the record has it. */
export function summaryDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * A run without secrets if they have not been taken out with the exchanges: in what comes from the
 * command line, the configuration, and errors. Ids and names of members are ours, and stay whatever
 * word somebody has for a secret.
 */
export function runWithoutSecrets(run: RunJson): RunJson {
  const { target, contract, rules, notices, failure, waivers } = run;
  return {
    ...run,
    target: { ...target, urls: mapValues(target.urls, withoutSecrets) },
    contract:
      contract.files === undefined
        ? contract
        : {
            ...contract,
            files: contract.files.map((file) => ({ ...file, url: withoutSecrets(file.url) })),
          },
    ...(run.labels === undefined ? {} : { labels: mapValues(run.labels, withoutSecrets) }),
    ...(waivers === undefined
      ? {}
      : {
          waivers: waivers.map((one) => ({
            ...one,
            reason: withoutSecrets(one.reason),
            owner: withoutSecrets(one.owner),
          })),
        }),
    ...(run.command === undefined ? {} : { command: withoutSecrets(run.command) }),
    rules: rules.map((row) => ({
      ...row,
      findings: row.findings.map((one) =>
        one.waived === undefined ? one : { ...one, waived: withoutSecrets(one.waived) },
      ),
      ...(row.reason === undefined ? {} : { reason: withoutSecrets(row.reason) }),
    })),
    notices: notices.map(withoutSecrets),
    ...(failure === undefined ? {} : { failure: withoutSecrets(failure) }),
  };
}

function mapValues<T extends Readonly<Record<string, string>>>(
  holder: T,
  map: (text: string) => string,
): T {
  return Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, map(value)])) as T;
}

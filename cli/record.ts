import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { member } from '../contracts/json.ts';
import { Judge } from '../contracts/judge.ts';
import { OBSERVERS } from '../contracts/observers.ts';
import { rulesOfProfile } from '../contracts/profile.ts';
import { rulesFor } from '../contracts/registry.ts';
import type { RunJson } from '../contracts/run.ts';
import type { Contract } from '../contracts/schema.ts';
import { afterLargeBody } from '../fixtures/target/large-bodies.ts';
import { EXCHANGES_FILE } from '../fixtures/target/recorder.ts';
import { readCounterexamples, readExchanges } from '../fixtures/target/record-reader.ts';
import { renderJUnit } from '../reports/junit.ts';
import type { RunFacts } from '../reports/run-json.ts';
import { runJsonOf } from '../reports/run-json.ts';
import { UsageError } from './exit-code.ts';
import { readLimits, rulesOnLimits } from './limits-record.ts';

/** The summary of a run in its record. */
export const RUN_FILE = 'run.json';
const FINDINGS_FILE = 'findings.ndjson';
const JUNIT_FILE = 'junit.xml';

/**
 * Judges the exchanges of a record, one at a time.
 *
 * @throws UsageError when the folder holds no exchanges
 */
export async function judgeRecord(
  dir: string,
  contract: Contract,
  facts: Omit<RunFacts, 'contractSha256' | 'counterexamples' | 'limits'>,
): Promise<RunJson> {
  const only = facts.replay?.split('@')[0];
  const limits = readLimits(dir);
  const all = limits === undefined ? rulesFor(contract) : rulesOnLimits(contract, limits);
  const rules = rulesOfProfile(all, facts.profile, only);
  const judge = new Judge(rules, contract, OBSERVERS);
  const notices = [...facts.notices];
  if (!existsSync(join(dir, EXCHANGES_FILE))) {
    throw new UsageError(`${dir} holds no run record: ${EXCHANGES_FILE} is missing`);
  }
  const exchanges = readExchanges(dir);
  for await (const exchange of exchanges) {
    judge.add(exchange);
    afterLargeBody(exchange);
  }
  if (exchanges.tornLines > 0) {
    notices.push('The last exchange of the record is torn and was left out.');
  }
  const counterexamples = readCounterexamples(dir);
  const { sha256: contractSha256 } = contract;
  return runJsonOf(judge, {
    ...facts,
    notices,
    contractSha256,
    counterexamples,
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Writes what machines read of a judged run: run.json, findings.ndjson and junit.xml. */
export function writeJudged(dir: string, run: RunJson): void {
  mkdirSync(dir, { recursive: true });
  const findings = run.rules.flatMap(({ id, level, source, verdict, findings: found }) =>
    found.map((finding) => `${JSON.stringify({ rule: id, level, source, verdict, ...finding })}\n`),
  );
  writeFileSync(join(dir, FINDINGS_FILE), findings.join(''));
  writeFileSync(join(dir, JUNIT_FILE), renderJUnit(run));
  writeRun(dir, run);
}

/** Writes run.json in one step, so that whoever reads it never sees half of it. */
export function writeRun(dir: string, run: RunJson): void {
  const file = join(dir, RUN_FILE);
  writeFileSync(`${file}.part`, `${JSON.stringify(run, undefined, 2)}\n`);
  renameSync(`${file}.part`, file);
}

/**
 * The run.json of a record, or undefined when it has none.
 *
 * @throws UsageError when the file is something else
 */
export function readRun(dir: string): RunJson | undefined {
  const file = join(dir, RUN_FILE);
  if (!existsSync(file)) return undefined;
  const run = parsed(readFileSync(file, 'utf8'));
  if (member(run, 'schemaVersion') === 1) return run as RunJson;
  throw new UsageError(`${file} is no summary of a run: its schemaVersion is not 1. Restore it.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

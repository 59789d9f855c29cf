/** A run record of any size, made without driving and judging so many exchanges. */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { beginningOf } from '../../contracts/run/record-lines.ts';
import type { RunFinding, RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { chainStart, seal, unseal } from '../../target/record/record-chain.ts';
import { appendLine, createRecord, EXCHANGES_FILE } from '../../target/record/recorder.ts';
import { runJsonOf } from '../../reports/run/run-json.ts';
import { exploreInProcess } from '../../suites/properties/in-process.ts';
import { IN_PROCESS_URLS } from '../../suites/service/in-process-urls.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { judgingTool } from '../../cli/package.ts';
import { summaryDigest, summaryText, writeJudged } from '../../cli/record/record.ts';
import { DRIVEN as SERVICE } from '../../suites/service/driving.ts';

/** What the service of the record does wrong. */
const BROKEN = ['zap-min-return-added', 'trade-status-number', 'docs-agent-auth-text-errors'];
const SEED = 1;
/** This many requests are really sent. */
const DRIVEN = 600;
/** No exchange of the record is larger, so that a million stay below the usual --max-record-bytes. */
const MAX_LINE_BYTES = 1_100;
/** As many as a rule reports of a run. */
const FINDINGS_OF_A_RULE = 200;
const WITNESSES = 5;
const WRITTEN_AT_ONCE = 1_048_576;
const ID = 'bench';

/** What a record was made of. */
export interface LargeRecord {
  readonly exchanges: number;
  /** Of the exchanges alone. */
  readonly bytes: number;
  readonly brokenRules: number;
  readonly findings: number;
}

/**
 * Writes the record of a service with some faults. Its exchanges are those of a short run, and copies of
 * them under other ids, in a chain as runs write it. Its summary is that of the short run, but that each
 * broken rule has as many findings as a rule reports, whose witnesses lie all over the record.
 *
 * @param dir a folder that is not there yet
 * @param count exchanges, at least some hundred
 */
export async function writeLargeRecord(dir: string, count: number): Promise<LargeRecord> {
  const { exchanges: own, run } = await shortRun();
  createRecord(dir, { recordId: ID, run: beginningOf(run, 'check') });
  const descriptor = openSync(join(dir, EXCHANGES_FILE), 'a');
  try {
    const start = chainOf(dir);
    const { bytes, head: last } = writeChain(descriptor, own, count, start);
    const rules = run.rules.map((rule) =>
      rule.findings.length === 0 ? rule : { ...rule, findings: manyOf(rule.findings, count) },
    );
    const counts = {
      ...run.counts,
      exchanges: count,
      requests: count,
      answered: count,
      throttled: 0,
    };
    const { complete, endedAt, notices } = run;
    const end = { complete, endedAt, notices, counts, lengthMs: 1, files: {} };
    const head = appendLine(dir, last, { end });
    const judged = {
      ...{ ...run, rules, counts },
      record: { id: ID, exchanges: count, head, files: {} },
    };
    appendLine(dir, head, { judged: { sha256: summaryDigest(summaryText(judged)) } });
    writeJudged(dir, judged);
    const broken = rules.filter(({ findings }) => findings.length > 0);
    const findings = broken.reduce((sum, rule) => sum + rule.findings.length, 0);
    return { exchanges: count, bytes, brokenRules: broken.length, findings };
  } finally {
    closeSync(descriptor);
  }
}

/** A run of the faulty service that is judged as every run is. */
async function shortRun(): Promise<{
  readonly exchanges: readonly Exchange[];
  readonly run: RunJson;
}> {
  const contract = await loadContract();
  const faults = FAULTS.filter(({ id }) => BROKEN.includes(id));
  if (faults.length < BROKEN.length) throw new Error(`some of ${BROKEN.join(', ')} is no fault`);
  const plain = createReferenceService({
    ...defaultReferenceOptions({
      seed: SEED,
      environment: systemEnvironment(),
      baseUrls: IN_PROCESS_URLS,
    }),
  });
  const service = faults.reduce((one, { apply }) => apply(one, SEED), plain);
  const judge = new Judge(SERVICE.rules.ofExchanges, contract, {
    observers: await SERVICE.loadObservers(),
  });
  const exchanges: Exchange[] = [];
  const startedAt = new Date();
  await exploreInProcess({
    driven: SERVICE,
    ...{ service, contract, judge, seed: SEED, clock: createSystemClock() },
    ...{ profile: 'gate', driveOnly: true, maxRequests: DRIVEN },
    onFound: () => undefined,
    listener: (exchange) => {
      exchanges.push(exchange);
    },
  });
  await service.close();
  const run = runJsonOf(judge, {
    ...{ startedAt, endedAt: new Date(), seed: SEED, profile: 'gate', tool: judgingTool() },
    target: { kind: 'reference', urls: IN_PROCESS_URLS, credentials: [] },
    ...{ waivers: [], labels: {}, choice: EVERY_RULE },
    leftOut: { must: 0, should: 0, observe: 0 },
    contract: { sha256: contract.sha256 },
    ...{ record: { id: ID }, cutShort: false, notices: [] },
    ...{ clauses: SERVICE.loadClauses(), limitLedger: SERVICE.limitLedger, counterexamples: [] },
  });
  return { exchanges, run };
}

/** What the first exchange continues. */
function chainOf(dir: string): string {
  const line = readFileSync(join(dir, EXCHANGES_FILE)).subarray(0, -1);
  return unseal(line, chainStart(ID))?.head ?? '';
}

/** The own exchanges lie evenly among their copies. */
function writeChain(
  descriptor: number,
  own: readonly Exchange[],
  count: number,
  start: string,
): { readonly bytes: number; readonly head: string } {
  const texts = own.map((exchange) => JSON.stringify({ ...exchange, offsetMs: 0 }));
  const copied = texts
    .filter((text) => text.length <= MAX_LINE_BYTES)
    .map((text) => text.slice(text.indexOf(',"api"')));
  const stride = Math.max(1, Math.floor(count / texts.length));
  let head = start;
  let bytes = 0;
  let lines: Buffer[] = [];
  let held = 0;
  const flush = (): void => {
    for (let rest = Buffer.concat(lines); rest.length > 0;) {
      rest = rest.subarray(writeSync(descriptor, rest));
    }
    [lines, held] = [[], 0];
  };
  for (let at = 0; at < count; at += 1) {
    const text = at % stride === 0 ? texts[at / stride] : undefined;
    const sealed = seal(text ?? `{"id":"${copyId(at)}"${copied[at % copied.length] ?? '}'}`, head);
    head = sealed.head;
    bytes += sealed.line.length;
    held += sealed.line.length;
    lines.push(sealed.line);
    if (held >= WRITTEN_AT_ONCE) flush();
  }
  flush();
  return { bytes, head };
}

function copyId(at: number): string {
  return `c${String(at).padStart(7, '0')}`;
}

/** The same findings at ever further places, with witnesses from the first to the last line. */
function manyOf(findings: readonly RunFinding[], count: number): RunFinding[] {
  return Array.from({ length: FINDINGS_OF_A_RULE }, (_, at) => {
    const one = findings[at % findings.length];
    if (one === undefined) throw new Error('there is no finding to make others of');
    if (at < findings.length) return one;
    const further = Array.from({ length: WITNESSES - 1 }, (_, witness) =>
      copyId(Math.floor((count * (at + witness / WITNESSES)) / FINDINGS_OF_A_RULE)),
    );
    const [first = '', ...others] = [...one.exchanges.slice(0, 1), ...further];
    return { ...one, pointer: `${one.pointer}/${at}`, exchanges: [first, ...others] };
  });
}

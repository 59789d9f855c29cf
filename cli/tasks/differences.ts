import { join } from 'node:path';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../fixtures/target/record/recorder.ts';
import { digestsOf } from '../record/digests.ts';
import { judgingTool } from '../package.ts';
import { readLimits } from '../record/limits-record.ts';
import { readLoad } from '../record/load-record.ts';
import { PLOT_FILES } from '../record/record-names.ts';
import type { JudgedRecord } from './judge-record.ts';

/** How a summary and what was judged again depart from each other. */
export interface Differences {
  /** What shows that the record is not the one that its run left. */
  readonly altered: readonly string[];
  /** What has another cause, for the report. */
  readonly notices: readonly string[];
}

/** More rules are not named. */
const MAX_NAMED = 5;

/**
 * Compares the summary of a run with what its exchanges say. Verdicts must be the same where the code
 * and the contract that judge are; of a run that was killed or not judged to its end there are none.
 */
export function differences(
  dir: string,
  recorded: RunJson,
  { run, tornLines, isWhole }: JudgedRecord,
): Differences {
  if (!isWhole) return { altered: [], notices: [] };
  if (recorded.record.head === undefined) {
    const ended = `The run did not judge its record to the end, so nothing tells whether exchanges are missing there; the ${run.counts.exchanges} that are there are a whole chain.`;
    return { altered: [], notices: [ended, ...unfinishedOf(dir)] };
  }
  const altered = sealFaults(dir, recorded, { ...run.record, tornLines });
  // Nobody has said yet what the exchanges of an unjudged record come to.
  if (altered.length > 0 || recorded.unjudged !== undefined) return { altered, notices: [] };
  const mayDiffer =
    recorded.tool.sha256 !== run.tool.sha256 ||
    [recorded, run].some(({ failure }) => failure !== undefined);
  if (recorded.contract.sha256 !== run.contract.sha256) {
    const notice = 'The run was judged by another contract when it was recorded.';
    return { altered: [], notices: [notice, ...verdictNotices(recorded, run)] };
  }
  if (mayDiffer) return { altered: [], notices: verdictNotices(recorded, run) };
  return {
    altered: summaryFaults(
      dir,
      withoutOwn(recorded),
      withoutOwn(run),
      isOwnOtherwise(recorded, run),
    ),
    notices: [...waiverNotices(recorded, run), ...ownNotices(recorded, run)],
  };
}

/** What a run that was killed was for, where its record has nothing else that tells. */
function unfinishedOf(dir: string): string[] {
  const recorded = readLoad(dir);
  if (recorded !== undefined && recorded.load === undefined) {
    return [
      'This was a run of `assay load`, which adds up rates and latencies at its end: nothing is known of them, and the answers that it recorded were judged.',
    ];
  }
  if (readLimits(dir)?.length !== 0) return [];
  return ['This was a run of `assay limits`, and it had found no limit yet.'];
}

/** The exchanges of a record as they were read. */
interface FoundExchanges {
  readonly exchanges?: number;
  readonly head?: string;
  readonly tornLines: number;
}

/**
 * What of a record is not as its summary says that its run left it: its exchanges, and the files beside
 * them. The summary itself is taken at its word.
 */
export function sealFaults(
  dir: string,
  recorded: Pick<RunJson, 'record' | 'tool'>,
  found: FoundExchanges,
): string[] {
  return [...chainFaults(dir, recorded, found), ...fileFaults(dir, recorded)];
}

function chainFaults(
  dir: string,
  { record }: Pick<RunJson, 'record'>,
  { exchanges = 0, head, tornLines }: FoundExchanges,
): string[] {
  const file = join(dir, EXCHANGES_FILE);
  if (tornLines > 0) return [`the last line of ${file} is cut off`];
  if (record.exchanges !== exchanges) {
    return [`${file} holds ${exchanges} exchanges, and its run recorded ${record.exchanges ?? 0}`];
  }
  return record.head === head ? [] : [`${file} does not end as its run left it`];
}

function fileFaults(
  dir: string,
  { record: { files = {} }, tool }: Pick<RunJson, 'record' | 'tool'>,
): string[] {
  const found = digestsOf(dir);
  const names = new Set([...Object.keys(files), ...Object.keys(found)]);
  return [...names].flatMap((name) => {
    const file = join(dir, name);
    if (found[name] === undefined) return [`${file} is missing`];
    if (files[name] === undefined) {
      // Earlier versions sealed no plots.
      const mayBeOlder = PLOT_FILES.includes(name) && tool.sha256 !== judgingTool().sha256;
      return mayBeOlder ? [] : [`${file} is no part of the record`];
    }
    return found[name] === files[name] ? [] : [`${file} is not as its run left it`];
  });
}

/** What the summary says other than the exchanges, which must be the same. */
function summaryFaults(
  dir: string,
  recorded: RunJson,
  judged: RunJson,
  isOwnOtherwise: boolean,
): string[] {
  const file = join(dir, SUMMARY_FILE);
  const faults: string[] = [];
  if (JSON.stringify(recorded.counts) !== JSON.stringify(judged.counts)) {
    faults.push(`${file} counts other exchanges than there are`);
  }
  const rows = new Map(recorded.rules.map((row) => [row.id, row]));
  const other = judged.rules.filter((row) => rowText(rows.get(row.id)) !== rowText(row));
  const strange = recorded.rules.filter(({ id }) => judged.rules.every((row) => row.id !== id));
  const named = [...other, ...strange].map(({ id }) => {
    const [then, now] = [recorded, judged].map(
      ({ rules }) => rules.find((row) => row.id === id)?.verdict ?? 'nothing',
    );
    return `${id} (${then}, and ${now} by the exchanges)`;
  });
  if (named.length > 0) faults.push(`${file} says otherwise of ${listed(named)}`);
  const isWaived = [recorded, judged].some(({ rules }) =>
    rules.some(({ verdict }) => verdict === 'waived'),
  );
  if (recorded.outcome !== judged.outcome && !isWaived && !isOwnOtherwise) {
    faults.push(
      `${file} says that the service ${words(recorded)}, and by the exchanges it ${words(judged)}`,
    );
  }
  if (
    JSON.stringify([recorded.limits, recorded.ledger]) !==
    JSON.stringify([judged.limits, judged.ledger])
  ) {
    faults.push(`${file} tells of other limits or unspecified clauses than there are`);
  }
  if (JSON.stringify(recorded.load) !== JSON.stringify(judged.load)) {
    faults.push(`${file} tells of another load than there was`);
  }
  return faults;
}

/** Rules of a configuration are no code of Assay: what they import may be another by now. */
function withoutOwn(run: RunJson): RunJson {
  return { ...run, rules: run.rules.filter(({ own }) => own === undefined) };
}

function ownOf(run: RunJson): RunRuleRow[] {
  return run.rules.filter(({ own }) => own !== undefined);
}

function isOwnOtherwise(recorded: RunJson, judged: RunJson): boolean {
  const texts = (run: RunJson): string =>
    JSON.stringify(ownOf(run).map((row) => [row.id, row.own, rowText(row)]));
  return texts(recorded) !== texts(judged);
}

/** What came out differently of rules of the configuration; of those not at hand the run itself tells. */
function ownNotices(recorded: RunJson, judged: RunJson): string[] {
  const known = new Set(recorded.rules.map(({ id }) => id));
  const now = ownOf(judged).filter(({ own }) => own === 'judged');
  const added = now.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  return [
    ...verdictNotices({ ...recorded, rules: ownOf(recorded) }, { ...judged, rules: now }),
    ...(added.length === 0
      ? []
      : [`Rules of the configuration that its run did not have: ${listed(added)}.`]),
  ];
}

/** What must be the same of a rule, whatever was waived. */
function rowText(row: RunRuleRow | undefined): string {
  if (row === undefined) return '';
  const { level, source, evidence, findings, counterexample, verdict } = row;
  const shown = verdict === 'waived' ? 'broken' : verdict;
  const brokenAs = ['fail', 'warn', 'observed'].includes(shown) && findings.length > 0;
  return JSON.stringify([
    ...[level, source, evidence, findings, counterexample],
    brokenAs ? 'broken' : shown,
  ]);
}

/** Verdicts that came out differently, by other code or another contract. */
function verdictNotices(recorded: RunJson, judged: RunJson): string[] {
  const before = new Map(recorded.rules.map(({ id, verdict }) => [id, verdict]));
  const changed = judged.rules
    .filter(({ id, verdict }) => before.has(id) && before.get(id) !== verdict)
    .map(({ id, verdict }) => `${id} (${before.get(id) ?? ''}, now ${verdict})`);
  return changed.length === 0 ? [] : [`Judged otherwise than in its run: ${listed(changed)}.`];
}

function waiverNotices(recorded: RunJson, judged: RunJson): string[] {
  const waivedIn = ({ rules }: RunJson): string[] =>
    rules.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id);
  const now = new Set(waivedIn(judged));
  const gone = waivedIn(recorded).filter((id) => !now.has(id));
  return gone.length === 0
    ? []
    : [`Waived in its run, and not now (waivers come from --config): ${listed(gone)}.`];
}

function listed(items: readonly string[]): string {
  const more = items.length - MAX_NAMED;
  const named = items.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function words({ outcome }: RunJson): string {
  return outcome === 'conforms'
    ? 'conforms'
    : outcome === 'undecided'
      ? 'is undecided'
      : 'does not conform';
}

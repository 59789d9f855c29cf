/** What the summary of a run says, against what its exchanges come to. */

import { join } from 'node:path';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { omit } from '../../contracts/wire/json.ts';
import { COMPLETED } from '../../contracts/run/unjudged.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';

/** More rules are not named. */
const MAX_NAMED = 5;

/** What the summary says other than the exchanges, which must be the same. */
export function summaryFaults(
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
    JSON.stringify([recorded.limits, recorded.ledger, recorded.simulations]) !==
    JSON.stringify([judged.limits, judged.ledger, judged.simulations])
  ) {
    faults.push(
      `${file} states other limits or unspecified clauses, or of other builds executed, than there are`,
    );
  }
  if (JSON.stringify(recorded.load) !== JSON.stringify(judged.load)) {
    faults.push(`${file} states another load than there was`);
  }
  return faults;
}

/** Members that judging gives, apart from those that have a sentence of their own. */
const GIVEN = [
  ...(['endedAt', 'choice', 'complete', 'failure', 'search', 'replayed', 'regressions'] as const),
  ...(['latencies', 'notices', 'outcome', 'rules', 'counts', 'ledger', 'limits', 'load'] as const),
  ...(['outages', 'atTimes', 'brokenBy', 'baseline', 'known', 'simulations'] as const),
] as const;

/** What is said of a summary that its run did not write: in which members it is otherwise, as far as that is known. */
export function summaryAltered(dir: string, recorded: RunJson, judged: RunJson): string {
  const is = `${join(dir, SUMMARY_FILE)} is not as its run left it`;
  const other = otherMembers(recorded, judged).filter(
    (name) => name !== 'baseline' && name !== 'known',
  );
  return other.length === 0 ? is : `${is}: its record says otherwise of ${listed(other)}`;
}

/** In what a summary is not what judging gives that completed its record, with the waivers of its run. */
export function completedFaults(dir: string, recorded: RunJson, judged: RunJson): string[] {
  const completed = { ...judged, notices: [...judged.notices, COMPLETED] };
  const isSameWaivers = JSON.stringify(recorded.waivers) === JSON.stringify(judged.waivers);
  const depending: readonly string[] = isSameWaivers ? [] : ['outcome', 'rules', 'notices'];
  const other = otherMembers(withoutOwn(recorded), withoutOwn(completed));
  const named = other.filter((name) => !depending.includes(name));
  if (named.length === 0 || recorded.ownRules !== undefined) return [];
  return [`${join(dir, SUMMARY_FILE)} says otherwise of ${listed(named)} than its exchanges`];
}

function otherMembers(recorded: RunJson, judged: RunJson): string[] {
  return GIVEN.filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(judged[name]));
}

/** Rules of a configuration are no code of Assay: what they import may be another by now. */
export function withoutOwn(run: RunJson): RunJson {
  return { ...run, rules: run.rules.filter(({ own }) => own === undefined) };
}

function ownOf(run: RunJson): RunRuleRow[] {
  return run.rules.filter(({ own }) => own !== undefined);
}

export function isOwnOtherwise(recorded: RunJson, judged: RunJson): boolean {
  const texts = (run: RunJson): string =>
    JSON.stringify(ownOf(run).map((row) => [row.id, row.own, rowText(row)]));
  return texts(recorded) !== texts(judged);
}

/** What came out differently of rules of the configuration; of those not at hand the run itself says it. */
export function ownNotices(recorded: RunJson, judged: RunJson): string[] {
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
    ...[level, source, evidence, findings.map((one) => omit(one, 'waived')), counterexample],
    brokenAs ? 'broken' : shown,
  ]);
}

/** Verdicts that came out differently, by other code or another contract. */
export function verdictNotices(recorded: RunJson, judged: RunJson): string[] {
  const before = new Map(recorded.rules.map(({ id, verdict }) => [id, verdict]));
  const changed = judged.rules
    .filter(({ id, verdict }) => before.has(id) && before.get(id) !== verdict)
    .map(({ id, verdict }) => `${id} (${before.get(id) ?? ''}, now ${verdict})`);
  return changed.length === 0 ? [] : [`Judged otherwise than in its run: ${listed(changed)}.`];
}

export function waiverNotices(recorded: RunJson, judged: RunJson): string[] {
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

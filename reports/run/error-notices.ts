/** Sentences on errors of a service that serves: an outage for a while, or a few. */

import type { OutageRow } from '../../contracts/judging/replies/outage-rows.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { ServiceReplies } from '../../contracts/judging/replies/service-replies.ts';
import { total } from '../../contracts/judging/replies/unserved.ts';
import type { AtTimesRow } from '../../contracts/run/run.ts';
import { printable } from '../../contracts/run/printable.ts';
import { shareWords } from '../finding-words.ts';
import { saidOf } from './served-notices.ts';

/** More are counted. */
const MAX_NAMED = 5;

/** Of an API that was out for a while, or one operation: when, and what is broken by its answers alone; a line each. */
export function briefOutageNotices(
  rows: readonly OutageRow[],
  results: readonly RuleResult[],
  isSaid: (row: OutageRow) => boolean,
): string[] {
  const apis = [...new Set(rows.map(({ api }) => api))];
  return apis.flatMap((api) => {
    const when = rows
      .filter((row) => row.api === api && !isSaid(row))
      .map(({ operation, from, until, count, said }) => {
        const last = said === undefined ? '' : `, the last of them ${saidOf(said)}`;
        return `${operation ?? `The ${api} API`} gave errors alone to ${count} requests in a row, from exchange ${from} to ${until}${last}.`;
      });
    const ids = results
      .filter(({ rule, verdict }) => rule.api === api && ['fail', 'warn'].includes(verdict))
      .filter(({ findings }) => findings.every((one) => one.isOfOutage === true))
      .map(({ rule }) => rule.id);
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
    const own = rows.filter((row) => row.api === api);
    const out = [...new Set(own.map(({ operation }) => operation ?? `the ${api} API`))];
    const broken = `Broken by an outage of ${out.join(', ')} alone, and counted: ${ids.slice(0, MAX_NAMED).join(', ')}${more}.`;
    const line = [...when, ...(ids.length === 0 ? [] : [broken])].join(' ');
    return line === '' ? [] : [line];
  });
}

/** What operations that serve failed at, at times, and how many answers they gave in all. */
interface FewErrors {
  readonly rows: readonly AtTimesRow[];
  readonly answers: number;
}

/** Errors of the service among what was served, where nothing was out; none if more failed than was served. */
export function fewErrorsOf(
  { apis }: Pick<ServiceReplies, 'apis'>,
  outages: readonly OutageRow[],
): FewErrors {
  const wereOut = new Set(outages.map(({ api, operation }) => operation ?? api));
  const asked = apis
    .flatMap((one) =>
      [...one.asked].map(([operation, { counts }]) => ({ api: one.api, operation, counts })),
    )
    .filter(({ api, operation }) => !wereOut.has(api) && !wereOut.has(operation));
  const served = asked.filter(({ counts }) => (counts.served ?? 0) > 0);
  const answers = served.reduce((sum, { counts }) => sum + total(counts), 0);
  const rows = served.flatMap(({ api, operation, counts }): AtTimesRow[] =>
    counts.failed === undefined
      ? []
      : [{ api, operation, kind: 'failed', count: counts.failed, of: total(counts) }],
  );
  // Of what fails more often than it serves, rules speak.
  return 2 * sumOf(rows, 'count') > answers ? { rows: [], answers } : { rows, answers };
}

/** What did not serve at times, a line for each kind: how often, and at which operations. */
export function atTimesNotices(few: FewErrors, refused: readonly AtTimesRow[]): string[] {
  const last = refused.flatMap(({ said }) => said ?? []).at(-1);
  return [
    ...lineOf('Errors of the service among what was served', few.rows, few.answers),
    ...lineOf(
      'Requests that were served at one time were refused at another',
      refused,
      sumOf(refused, 'of'),
    ).map((line) => (last === undefined ? line : `${line} One was ${last}.`)),
  ].map((line) => printable(line));
}

function lineOf(what: string, rows: readonly AtTimesRow[], answers: number): string[] {
  const count = sumOf(rows, 'count');
  if (count === 0) return [];
  const named = rows
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MAX_NAMED)
    .map((one) => `${one.operation} ${one.count} of ${one.of}`);
  const more = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : '';
  return [
    `${what}: ${count} of ${answers} answers, ${shareWords(count, answers)} (${named.join(', ')}${more}).`,
  ];
}

function sumOf(rows: readonly AtTimesRow[], member: 'count' | 'of'): number {
  return rows.reduce((sum, row) => sum + row[member], 0);
}

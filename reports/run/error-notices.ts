/** Sentences on errors of a service that serves: an outage for a while, or a few. */

import type { OutageRow } from '../../contracts/judging/replies/outage-rows.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { ServiceReplies } from '../../contracts/judging/replies/service-replies.ts';
import { total } from '../../contracts/judging/replies/unserved.ts';
import { saidOf } from './served-notices.ts';

/** More are counted. */
const MAX_NAMED = 5;

/** Of an API that was out for a while: when, and what is broken by its answers alone; a line each. */
export function briefOutageNotices(
  rows: readonly OutageRow[],
  results: readonly RuleResult[],
  isSaid: (row: OutageRow) => boolean,
): string[] {
  const apis = [...new Set(rows.map(({ api }) => api))];
  return apis.flatMap((api) => {
    const when = rows
      .filter((row) => row.api === api && !isSaid(row))
      .map(({ from, until, count, said }) => {
        const last = said === undefined ? '' : `, the last of them ${saidOf(said)}`;
        return `The ${api} API gave errors alone to ${count} requests in a row, from exchange ${from} to ${until}${last}.`;
      });
    const ids = results
      .filter(({ rule, verdict }) => rule.api === api && ['fail', 'warn'].includes(verdict))
      .filter(({ findings }) => findings.every((one) => one.isOfOutage === true))
      .map(({ rule }) => rule.id);
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
    const broken = `Broken by an outage of the ${api} API alone, and counted: ${ids.slice(0, MAX_NAMED).join(', ')}${more}.`;
    const line = [...when, ...(ids.length === 0 ? [] : [broken])].join(' ');
    return line === '' ? [] : [line];
  });
}

/** Of errors of the service among what was served: how many, and at which operations. */
export function fewErrorsNotices(
  { apis }: Pick<ServiceReplies, 'apis'>,
  rows: readonly OutageRow[],
): string[] {
  const wereOut = new Set(rows.map(({ api }) => api));
  const asked = apis.filter(({ api }) => !wereOut.has(api)).flatMap((one) => [...one.asked]);
  const served = asked.filter(([, { counts }]) => (counts.served ?? 0) > 0);
  const all = served.reduce((sum, [, { counts }]) => sum + total(counts), 0);
  const failing = served.flatMap(([id, { counts }]) =>
    counts.failed === undefined ? [] : [{ id, failed: counts.failed, of: total(counts) }],
  );
  const failed = failing.reduce((sum, one) => sum + one.failed, 0);
  // Of what fails more often than it serves, rules speak.
  if (failed === 0 || 2 * failed > all) return [];
  const named = failing
    .toSorted((one, other) => other.failed - one.failed)
    .slice(0, MAX_NAMED)
    .map((one) => `${one.id} ${one.failed} of ${one.of}`);
  const more = failing.length > MAX_NAMED ? ` and ${failing.length - MAX_NAMED} more` : '';
  const share = Number(((100 * failed) / all).toPrecision(2));
  return [
    `Errors of the service among what was served: ${failed} of ${all} answers, ${share} % (${named.join(', ')}${more}).`,
  ];
}

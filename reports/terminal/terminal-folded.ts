/** What needs no look, folded to a line or two. */

import { loadOutcome } from '../../contracts/run/load/load-outcome.ts';
import { isOfOutage } from '../causes.ts';
import type { RunJson, RunRuleRow, Verdict } from '../../contracts/run/run.ts';
import { askedRules } from '../rules-pass.ts';
import { simulationWords } from '../simulation-words.ts';
import { cut, plural, wrap } from '../text.ts';
import { type Paint, VERDICT_STYLE } from './verdict-style.ts';

const LABEL_WIDTH = 14;

/** Broken rules but for those that only an outage broke, those that fail the run first, in the order of the document. */
export function brokenRules({ rules }: RunJson): RunRuleRow[] {
  return (['fail', 'warn'] as const).flatMap((verdict) =>
    rules.filter((rule) => rule.verdict === verdict && !isOfOutage(rule)),
  );
}

/** What needs no look, folded to a line or two each, and where it can be read. */
export function foldedLines(run: RunJson, width: number, paint: Paint): string[] {
  const { ledger } = run;
  const room = width - LABEL_WIDTH;
  const line = (label: string, text: string): string[] =>
    wrap(text, room).map(
      (part, at) =>
        `${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${part.replaceAll('\u00a0', ' ')}`,
    );
  const rules = askedRules(run);
  const changed = rules.filter(({ statedLevel }) => statedLevel !== undefined);
  const executed = simulationWords(run);
  // Less is said beside what is broken, so that one fault stands on one screen.
  const hasBroken =
    brokenRules(run).length > 0 || (run.load !== undefined && loadOutcome(run.load) === 'broken');
  return [
    ...(!hasBroken && rules.some(({ verdict }) => verdict === 'pass')
      ? line('passed', passes(rules))
      : []),
    ...(['not-reached', 'inconclusive', 'waived'] as const).flatMap((verdict) => {
      const text = reasonWords(rules, verdict);
      const isBrief = hasBroken && verdict === 'not-reached';
      return text === '' ? [] : line(VERDICT_STYLE[verdict].word, isBrief ? cut(text, room) : text);
    }),
    ...(changed.length === 0
      ? []
      : line('levels', `${changed.length} changed by the configuration: ${idsOf(changed)}`)),
    ...(executed === '' ? [] : line('executed', executed)),
    ...(hasBroken || ledger.length === 0
      ? []
      : line(
          'unspecified',
          `${plural(ledger.length, 'thing')} seen on which the document is silent`,
        )),
    ...line('more', 'all of it with --verbose, or in run.json'),
  ];
}

function passes(rules: readonly RunRuleRow[]): string {
  const counts = new Map<string, number>();
  for (const { verdict, source, own } of rules) {
    if (verdict !== 'pass') continue;
    const section = own === undefined ? placeOf(source) : 'own rules';
    counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  return (
    [...counts]
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      // A count is never parted from its section by the end of a line.
      .map(([section, count]) => `${section}\u00a0${count}`)
      .join(', ')
  );
}

function placeOf(source: string): string {
  if (/^(?:contract|OpenAPI)/.test(source)) return 'contract';
  return /\u00a7[\d.]*\d|^card/.exec(source)?.[0] ?? 'RFCs';
}

/** More rules are counted, not named. */
const MAX_NAMED = 2;

/** How many rules have a verdict, and why, the most frequent reasons first. */
function reasonWords(rules: readonly RunRuleRow[], verdict: Verdict): string {
  const byReason = new Map<string, RunRuleRow[]>();
  for (const rule of rules.filter((row) => row.verdict === verdict)) {
    const why = rule.needs === undefined ? rule.reason : `needs ${rule.needs}`;
    const reason = why ?? 'no reason was recorded';
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule]);
  }
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  return reasons
    .map(([reason, some]) => {
      const ids = some.length > MAX_NAMED ? '' : `: ${idsOf(some)}`;
      return `${some.length} (${cut(reason, 100)})${ids}`;
    })
    .slice(0, MAX_NAMED)
    .concat(
      reasons.length > MAX_NAMED ? [`${plural(reasons.length - MAX_NAMED, 'reason')} more`] : [],
    )
    .join('; ');
}

function idsOf(rules: readonly RunRuleRow[]): string {
  const named = rules.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = rules.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/**
 * All that a run holds, for who asks for it: a row for each rule, and each reason and unspecified
 * clause.
 */

import {
  countVerdicts,
  type RunJson,
  type RunRuleRow,
  type Verdict,
  VERDICTS,
} from '../../contracts/run/run.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { latencyLines, LEAST_TABLE } from './terminal-latencies.ts';
import { bullet, cut, wrap } from '../text.ts';
import { type Paint, VERDICT_STYLE } from './verdict-style.ts';

const SECTION_WIDTH = 9;
const VERDICT_WIDTH = 14;
const EVIDENCE_WIDTH = 8;
const BEFORE_ID = 2 + SECTION_WIDTH + VERDICT_WIDTH + 1;

/** The blocks of a verbose report that come before its findings. */
export function tableBlocks(run: RunJson, width: number, paint: Paint): string[][] {
  return apisOfRun(run).map((api) => table(run, api, width, paint));
}

/** The blocks of a verbose report that come after its findings. */
export function detailBlocks(run: RunJson, width: number, paint: Paint): string[][] {
  return [
    ...(['waived', 'inconclusive', 'not-reached'] as const).map((verdict) =>
      reasons(run.rules, verdict, width, paint),
    ),
    changedLevels(run, width, paint),
    ledger(run, width, paint),
    latencyLines(run.latencies ?? [], width, paint),
    card(run, width, paint),
  ];
}

/** The rules of one API that have something to show; the others are listed by reason below. */
function table(run: RunJson, api: ApiName, width: number, paint: Paint): string[] {
  const rules = run.rules.filter((rule) => rule.api === api);
  if (rules.length === 0) return [];
  const isNarrow = width < LEAST_TABLE;
  const idWidth = width - 2 - SECTION_WIDTH - VERDICT_WIDTH - EVIDENCE_WIDTH;
  const shown = bySection(rules.filter(({ verdict }) => verdict !== 'not-reached'));
  const counts = countVerdicts(rules);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${VERDICT_STYLE[verdict].word}`,
  );
  const title = `${api}: ${parts.join(', ')}`;
  const [first = '', ...more] = wrap(title, isNarrow ? width - EVIDENCE_WIDTH - 1 : width);
  const head = shown.length === 0 ? '' : 'evidence'.padStart(width - first.length);
  let before = '';
  return [
    `${paint('bold', first)}${paint('dim', head)}`,
    ...more.map((line) => paint('bold', line)),
    ...shown.flatMap((rule) => {
      const section = sectionOf(rule.source);
      const { symbol, word, format } = VERDICT_STYLE[rule.verdict];
      const cells = [
        paint('dim', (section === before ? '' : section).padEnd(SECTION_WIDTH)),
        paint(format, `${symbol} ${word}`.padEnd(VERDICT_WIDTH + 1)),
        isNarrow ? '' : cut(rule.id, idWidth - 2).padEnd(idWidth - 1),
        String(rule.evidence).padStart(isNarrow ? width - BEFORE_ID : EVIDENCE_WIDTH),
      ];
      before = section;
      return [`  ${cells.join('')}`, ...(isNarrow ? [`    ${cut(rule.id, width - 4)}`] : [])];
    }),
  ];
}

/** The rules in their order, those of one section together. */
function bySection(rules: readonly RunRuleRow[]): RunRuleRow[] {
  const sections = new Set(rules.map(({ source }) => sectionOf(source)));
  return [...sections].flatMap((section) =>
    rules.filter(({ source }) => sectionOf(source) === section),
  );
}

/** `§2.2` of `implied by §2.2`, `RFC 9110` of its sections. */
function sectionOf(source: string): string {
  return cut(/\u00a7[\d.]*\d|RFC \d+/.exec(source)?.[0] ?? source, SECTION_WIDTH - 1);
}

/** The rules of one verdict, grouped by why. */
function reasons(
  rules: readonly RunRuleRow[],
  verdict: Verdict,
  width: number,
  paint: Paint,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const rule of rules.filter((row) => row.verdict === verdict)) {
    const why = rule.reason ?? 'no reason was recorded';
    const reason = rule.needs === undefined ? why : `${why}; it needs ${rule.needs}`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule.id]);
  }
  if (byReason.size === 0) return [];
  const { symbol, word, format } = VERDICT_STYLE[verdict];
  const title = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return [
    paint('bold', title),
    ...[...byReason].flatMap(([reason, ids]) => [
      ...bullet(paint(format, symbol), `${reason}:`, width),
      ...wrap(ids.join(', '), width - 6).map((line) => `      ${line}`),
    ]),
  ];
}

/** The rules whose level the configuration changes. */
function changedLevels({ rules }: RunJson, width: number, paint: Paint): string[] {
  const changed = rules.flatMap(({ id, level, statedLevel }) =>
    statedLevel === undefined ? [] : [`${id} is ${statedLevel}, taken as ${level}`],
  );
  if (changed.length === 0) return [];
  const title = paint('bold', 'Levels that the configuration changes');
  return [title, ...changed.flatMap((line) => bullet('·', line, width))];
}

function ledger(run: RunJson, width: number, paint: Paint): string[] {
  if (run.ledger.length === 0) return [];
  return [
    ...wrap('Not stated by the document, and seen', width).map((line) => paint('bold', line)),
    ...run.ledger.flatMap(({ id, clause, observed }) =>
      bullet('·', `${id} (${clause}): ${cut(observed.join('; '), width)}`, width),
    ),
  ];
}

/** The promises of the project's card, which stand out by name whatever became of them. */
function card(run: RunJson, width: number, paint: Paint): string[] {
  const rules = run.rules.filter(({ source }) => source === 'card');
  if (rules.length === 0) return [];
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  return [
    paint('bold', 'Above all'),
    ...rules.flatMap(({ id, verdict, evidence, protects }) => {
      const { symbol, word, format } = VERDICT_STYLE[verdict];
      const whole = `${protects} (${evidence} judged)`;
      if (width < LEAST_TABLE)
        return bullet(paint(format, symbol), `${word}: ${id}. ${whole}`, width);
      const name = paint(format, `${symbol} ${word}`.padEnd(VERDICT_WIDTH + 1));
      const what = cut(whole, width - idWidth - VERDICT_WIDTH - 5);
      return `  ${name}${id.padEnd(idWidth)}  ${paint('dim', what)}`;
    }),
  ];
}

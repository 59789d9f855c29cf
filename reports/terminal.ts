/** The report that a person reads after a run. */

import {
  countVerdicts,
  type RunJson,
  type RunRuleRow,
  type Verdict,
  VERDICTS,
} from '../contracts/run.ts';
import { API_NAMES, type ApiName } from '../contracts/wire/exchange.ts';
import { findingLines } from './terminal-findings.ts';
import { limitLines } from './terminal-limits.ts';
import { searchLines } from './terminal-search.ts';
import { bullet, cut, duration, plural, printable, wrap } from './text.ts';
import { type Paint, painter, VERDICT_STYLE } from './verdict-style.ts';

/** How to render. */
export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal; taken as 80 to 120. */
  readonly width: number;
  /** The folder of the run record, named at the end. */
  readonly record?: string;
}

const OUTCOME_WORDS: Readonly<Record<RunJson['outcome'], string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  undecided: 'undecided',
};
const SECTION_WIDTH = 9;
const VERDICT_WIDTH = 14;
const EVIDENCE_WIDTH = 8;

/** The whole report, ending in a line break. */
export function renderTerminal(run: RunJson, options: TerminalOptions): string {
  const width = Math.min(120, Math.max(80, options.width));
  const paint = painter(options.color);
  const safe = printable(run);
  const blocks = [
    heading(safe, paint),
    safe.notices.flatMap((notice) => bullet('!', notice, width)),
    ...API_NAMES.map((api) => table(safe, api, width, paint)),
    ...(['fail', 'warn'] as const).flatMap((verdict) =>
      safe.rules
        .filter((rule) => rule.verdict === verdict)
        .map((rule) => findingLines(rule, safe.seed, width, paint)),
    ),
    ...(['waived', 'inconclusive', 'not-reached'] as const).map((verdict) =>
      reasons(safe.rules, verdict, width, paint),
    ),
    changedLevels(safe, width, paint),
    ledger(safe, width, paint),
    limitLines(safe.limits, width, paint),
    searchLines(safe, width, paint),
    card(safe, width, paint),
    summary(safe, options.record, width, paint),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

function heading(run: RunJson, paint: Paint): string[] {
  const { tool, target, counts } = run;
  const took = duration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  const throttled = counts.throttled > 0 ? `, ${counts.throttled} of them throttled` : '';
  const failed = counts.failed > 0 ? `, ${counts.failed} unanswered` : '';
  const about = target.kind === 'reference' ? 'the embedded reference service' : 'this target';
  return [
    `${paint('bold', `${tool.name} ${tool.version}`)} on ${about}`,
    ...API_NAMES.map(
      (api) => `  ${api.padEnd(6)} ${target.urls[api] ?? paint('dim', 'not configured')}`,
    ),
    `  seed ${run.seed}, ${took}, ${plural(counts.exchanges, 'exchange')}${throttled}${failed}`,
  ];
}

/** The rules of one API that have something to show; the others are listed by reason below. */
function table(run: RunJson, api: ApiName, width: number, paint: Paint): string[] {
  const rules = run.rules.filter((rule) => rule.api === api);
  if (rules.length === 0) return [];
  const idWidth = width - 2 - SECTION_WIDTH - VERDICT_WIDTH - EVIDENCE_WIDTH;
  const shown = bySection(rules.filter(({ verdict }) => verdict !== 'not-reached'));
  const counts = countVerdicts(rules);
  const parts = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${VERDICT_STYLE[verdict].word}`,
  );
  const title = `${api}: ${parts.join(', ')}`;
  const head = shown.length === 0 ? '' : 'evidence'.padStart(width - title.length);
  let before = '';
  return [
    `${paint('bold', title)}${paint('dim', head)}`,
    ...shown.map((rule) => {
      const section = sectionOf(rule.source);
      const { symbol, word, format } = VERDICT_STYLE[rule.verdict];
      const cells = [
        paint('dim', (section === before ? '' : section).padEnd(SECTION_WIDTH)),
        paint(format, `${symbol} ${word}`.padEnd(VERDICT_WIDTH + 1)),
        cut(rule.id, idWidth - 2).padEnd(idWidth - 1),
        String(rule.evidence).padStart(EVIDENCE_WIDTH),
      ];
      before = section;
      return `  ${cells.join('')}`;
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
  return cut(/§[\d.]*\d|RFC \d+/.exec(source)?.[0] ?? source, SECTION_WIDTH - 1);
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

function ledger(run: RunJson, width: number, paint: Paint): string[] {
  if (run.ledger.length === 0) return [];
  return [
    paint('bold', 'Where the document is silent, this was seen'),
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
    ...rules.map(({ id, verdict, evidence, protects }) => {
      const { symbol, word, format } = VERDICT_STYLE[verdict];
      const name = paint(format, `${symbol} ${word}`.padEnd(VERDICT_WIDTH + 1));
      const what = cut(`${protects} (${evidence} judged)`, width - idWidth - VERDICT_WIDTH - 5);
      return `  ${name}${id.padEnd(idWidth)}  ${paint('dim', what)}`;
    }),
  ];
}

function summary(run: RunJson, record: string | undefined, width: number, paint: Paint): string[] {
  const counts = countVerdicts(run.rules);
  const always = [
    `${plural(counts.pass, 'rule')} pass${counts.pass === 1 ? 'es' : ''}`,
    `${counts.fail} fail`,
    `${counts.warn} warn`,
    `${counts['not-reached']} not reached`,
  ];
  const also = (['waived', 'inconclusive', 'observed'] as const)
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`);
  const format = { conforms: 'green', 'does-not-conform': 'red', undecided: 'yellow' } as const;
  const outcome = OUTCOME_WORDS[run.outcome];
  const chosen = choiceWords(run);
  const left = run.choice?.leftOut.must ?? 0;
  const part = left === 0 ? '' : ` without ${plural(left, 'must-rule')} that the choice leaves out`;
  const lines = wrap(`${outcome}${part}: ${[...always, ...also, ...chosen].join(', ')}`, width);
  return [
    ...lines.map((line) => line.replace(outcome, paint(['bold', format[run.outcome]], outcome))),
    ...(record === undefined ? [] : [`record: ${record}`]),
  ];
}

/** What a reader of the outcome must know of what the user chose. */
function choiceWords({ choice, rules }: RunJson): string[] {
  if (choice === undefined) return [];
  const { leftOut, failOn } = choice;
  const changed = rules.filter(({ statedLevel }) => statedLevel !== undefined).length;
  const left = leftOut.must + leftOut.should + leftOut.observe;
  return [
    ...(left === 0 ? [] : [`${left} left out`]),
    ...(changed === 0 ? [] : [`${changed} of another level than stated`]),
    ...(failOn === 'should' ? ['warnings fail'] : []),
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

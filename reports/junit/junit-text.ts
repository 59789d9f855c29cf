/** Texts of JUnit XML. */

import { isOfOutage } from '../causes.ts';
import {
  actualWords,
  findingNotes,
  placeAmongWords,
  reproducedWords,
  seenWords,
  wasWords,
} from '../finding-words.ts';
import { fingerprintOf } from '../../contracts/compare/fingerprint.ts';
import type { RunFinding, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { findingState } from '../baseline-state.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { atTimesWords } from '../run-kinds.ts';
import { plural } from '../text.ts';

/** What XML 1.0 has no way to write (section 2.2, production 2). */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const MAX_CHARACTERS = 4_000;
const MAX_LINE_CHARACTERS = 100_000;
/** More findings of one rule are counted. */
const MAX_FINDINGS = 50;

/** All that is reported of a rule that is broken. */
export function detailsOf(
  rule: RunRuleRow,
  run: Pick<RunJson, 'seed' | 'baseline' | 'known'>,
): string {
  const { seed } = run;
  const { counterexample, findings } = rule;
  if (isOfOutage(rule)) return 'broken by the answers of an outage alone';
  const shown = findings.slice(0, MAX_FINDINGS);
  const more = findings.length - shown.length;
  const parts = [
    short(`${rule.protects} (${rule.source})`),
    ...shown.map((finding, at) => {
      // Of the first the smallest request is shown, which may be another.
      const hasSmaller = at === 0 && counterexample !== undefined;
      return findingText(finding, rule, run, hasSmaller ? [] : [`try      ${line(finding.curl)}`]);
    }),
    ...(more > 0 ? [`and ${plural(more, 'finding')} more in run.json`] : []),
    counterexample === undefined ? `seed     ${seed}` : smallestText(counterexample, seed),
  ];
  return text(parts.join('\n\n'));
}

/** What operations of an API did not serve at times, which is no test case; undefined if there is none. */
export function atTimesText({ atTimes = [] }: RunJson, api: ApiName): string | undefined {
  const rows = atTimes.filter((row) => row.api === api).map(atTimesWords);
  return rows.length === 0 ? undefined : attribute(rows.join('; '));
}

/** One finding of a rule in a line. Without a place it says what it is about. */
export function messageOf(rule: RunRuleRow, finding: RunFinding): string {
  return finding.pointer === ''
    ? wasWords(rule, finding)
    : `expected ${finding.expected}, was ${actualWords(finding)}`;
}

function smallestText(
  counterexample: NonNullable<RunRuleRow['counterexample']>,
  seed: number,
): string {
  const { curl, differsIn, replay, command } = counterexample;
  const fields = differsIn.length === 0 ? 'nothing' : differsIn.join(', ');
  return [
    `smallest differs from a plain request in ${short(fields)}; ${reproducedWords(counterexample)}`,
    ...curl.map((one) => `         ${line(one)}`),
    `seed     ${seed}`,
    `replay   ${line(command ?? `assay check --seed ${seed} --replay ${replay}`)}`,
  ].join('\n');
}

function findingText(
  finding: RunFinding,
  rule: RunRuleRow,
  run: Parameters<typeof detailsOf>[1],
  tries: readonly string[],
): string {
  const since = findingState(fingerprintOf(rule.id, finding), run);
  return [
    `at       ${short(placeAmongWords(rule, finding))}`,
    `expected ${text(short(finding.expected))}`,
    `actual   ${text(short(finding.actual))}`,
    `seen     ${seenWords(finding, rule)}, first in ${short(finding.exchanges.join(', '))}`,
    ...(since === undefined ? [] : [`since    ${since}`]),
    ...findingNotes(finding).map(([label, note]) => `${label.padEnd(8)} ${text(short(note))}`),
    ...tries,
  ].join('\n');
}

/** In attributes a parser reads every white space as a blank, so it is one before. */
export function attribute(value: string): string {
  return text(short(value)).replace(/\s+/g, ' ');
}

/** Readers of JUnit hold all of a text in memory, several times. */
function short(value: string): string {
  return value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
}

/** A line for a shell, whole or not at all. */
function line(value: string): string {
  return value.length > MAX_LINE_CHARACTERS
    ? `(a line of ${value.length} characters: run.json has it)`
    : value;
}

/** Line ends as a parser reports them. */
function text(value: string): string {
  return value.replace(ILLEGAL, '').replace(/\r\n?/g, '\n');
}

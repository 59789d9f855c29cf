import type { RunJson } from '../../contracts/run/run.ts';
import { findingState } from '../baseline-state.ts';
import { placeOf, type Placing } from './placing.ts';
import { type Problem, problemsOf } from '../problems.ts';
import type { ReportSource } from '../source.ts';
import { plural, printable } from '../text.ts';

/** A step shows ten of a kind; more are dropped without a word. */
const MAX_ANNOTATIONS = 10;
/** A longer line to paste is in the summary alone. */
const MAX_COMMAND_CHARACTERS = 1_500;

/**
 * Runs as workflow commands of GitHub Actions, a line each and ten at most: one annotation for each
 * broken rule, what is new since a baseline first, then the causes, on its operation in the user's contract if that is known, else on the
 * user's configuration or CI file. Nothing where nothing is wrong.
 *
 * Text of a service cannot end a command or begin another: what separates is escaped as the runner undoes
 * it, controls are shown, and `##[` is broken.
 */
export function renderAnnotations(sources: readonly ReportSource[], placing: Placing): string {
  const problems = firstOfEach(
    sources.flatMap(({ run }) =>
      problemsOf(run)
        .filter(({ waived }) => waived === undefined)
        .toSorted((a, b) => urgency(a) - urgency(b))
        .map((problem) => ({ problem, text: textOf(problem, run) })),
    ),
  );
  const inOrder = [
    ...problems.filter(({ problem: { level } }) => level === 'error'),
    ...problems.filter(({ problem: { level } }) => level === 'warning'),
  ];
  const shown = inOrder.slice(
    0,
    inOrder.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS,
  );
  const [next] = inOrder.slice(shown.length);
  const lines = shown.map(({ problem, text }) =>
    command(problem.level, { ...fileOf(placing, problem), title: problem.check }, text),
  );
  if (next !== undefined) {
    const more = plural(inOrder.length - shown.length, 'more problem');
    const text = `${more}: the summary of the step and the record have all.`;
    lines.push(command(next.problem.level, { title: 'assay' }, text));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** What the baseline has as well was not broken by this change. */
function urgency({ since }: Problem): number {
  return since === 'still' ? 1 : 0;
}

/** Of several findings of one rule the first stands for all, in whichever run. */
function firstOfEach<T extends { readonly problem: Problem }>(problems: readonly T[]): T[] {
  const seen = new Set<string>();
  return problems.filter(({ problem: { rule } }) => {
    if (rule === undefined) return true;
    const isFirst = !seen.has(rule.id);
    seen.add(rule.id);
    return isFirst;
  });
}

function fileOf(placing: Placing, { finding }: Problem): Record<string, string> {
  const place = placeOf(placing, finding);
  return place === undefined ? {} : { file: place.path, line: String(place.line) };
}

function textOf({ rule, words, fingerprint }: Problem, run: RunJson): string {
  if (rule === undefined) return words;
  const { seed } = run;
  const state = findingState(fingerprint, run);
  const { counterexample, findings, protects } = rule;
  const more = findings.length - 1;
  const replay =
    counterexample?.command ??
    (counterexample === undefined
      ? undefined
      : `assay check --seed ${seed} --replay ${counterexample.replay}`);
  const isShort = replay !== undefined && replay.length <= MAX_COMMAND_CHARACTERS;
  return [
    words,
    printable(protects.slice(0, 500)),
    ...(state === undefined ? [] : [sentence(state)]),
    ...(more > 0 ? [`It is broken in ${plural(more, 'more place')}.`] : []),
    ...(isShort ? [`Show it again: ${printable(replay)}`] : []),
  ].join('\n');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** One command, by the rules of the runner (actions/toolkit, command.ts). */
function command(
  name: 'error' | 'warning',
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const words = Object.entries(properties)
    .map(
      ([key, value]) =>
        `${key}=${escaped(printable(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
    )
    .join(',');
  return `::${name} ${words}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll('##[', '#\\u{23}[')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { reproducedWords } from '../finding-words.ts';
import { codeBlock, codeSpan, plainWords } from './markdown-text.ts';

/** A longer line is in the record alone. */
const MAX_LINE_CHARACTERS = 4_000;
const MAX_BODY_CHARACTERS = 2_000;

export function requestBlocks(
  { counterexample, findings }: RunRuleRow,
  { seed }: RunJson,
): string[] {
  if (counterexample === undefined) {
    const [first] = findings;
    return first === undefined ? [] : copyable('Try it:', [first.curl]);
  }
  const { curl, differsIn, replay, command, response, stopped } = counterexample;
  const size =
    differsIn.length === 0
      ? 'The smallest request is a plain one'
      : `The smallest request that shows it differs from a plain one in ${differsIn.slice(0, 20).map(plainText).join(', ')}`;
  const why = stopped === undefined ? '' : `; ${plainWords(stopped)}`;
  return [
    ...copyable(`${size}; ${reproducedWords(counterexample)}${why}:`, curl),
    ...(response === undefined
      ? []
      : [
          `Answered ${response.status}:`,
          codeBlock(
            response.body
              .slice(0, MAX_BODY_CHARACTERS)
              .split('\n')
              .map((line) => line.replace(/\r$/, '')),
          ),
        ]),
    ...copyable('Show it again:', [command ?? `assay check --seed ${seed} --replay ${replay}`]),
  ];
}

function plainText(field: string): string {
  return codeSpan(field, 100);
}

/** Lines for a shell, whole or not at all. */
function copyable(heading: string, lines: readonly string[]): string[] {
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  return characters > MAX_LINE_CHARACTERS
    ? [`${heading} it is longer than this page has room for; run.json and the terminal have it.`]
    : [heading, codeBlock(lines, 'sh')];
}

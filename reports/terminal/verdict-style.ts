import { styleText } from 'node:util';
import type { Verdict } from '../../contracts/run/run.ts';
import { VERDICT_WORDS, type VerdictWords } from '../verdict-words.ts';

type Format = Parameters<typeof styleText>[0];

interface VerdictStyle extends VerdictWords {
  readonly format: Format;
}

/** How a verdict shows: distinguished by symbol and word, with colour on top. */
export const VERDICT_STYLE: Readonly<Record<Verdict, VerdictStyle>> = {
  pass: { ...VERDICT_WORDS.pass, format: 'green' },
  fail: { ...VERDICT_WORDS.fail, format: ['red', 'bold'] },
  warn: { ...VERDICT_WORDS.warn, format: 'yellow' },
  observed: { ...VERDICT_WORDS.observed, format: 'cyan' },
  inconclusive: { ...VERDICT_WORDS.inconclusive, format: 'yellow' },
  'not-reached': { ...VERDICT_WORDS['not-reached'], format: 'dim' },
  waived: { ...VERDICT_WORDS.waived, format: 'magenta' },
};

/** Puts a format around text, or nothing. */
export type Paint = (format: Format, text: string) => string;

/** A painter; with colour off the text stays as it is, whatever the environment says. */
export function painter(color: boolean): Paint {
  // The caller has decided: the stream is not asked again.
  return (format, text) => (color ? styleText(format, text, { validateStream: false }) : text);
}

import { styleText } from 'node:util';
import type { Verdict } from '../contracts/run.ts';

type Format = Parameters<typeof styleText>[0];

interface VerdictStyle {
  readonly symbol: string;
  readonly word: string;
  readonly format: Format;
}

/** How a verdict shows: told apart by symbol and word, with colour on top. */
export const VERDICT_STYLE: Readonly<Record<Verdict, VerdictStyle>> = {
  pass: { symbol: '✓', word: 'pass', format: 'green' },
  fail: { symbol: '✗', word: 'fail', format: ['red', 'bold'] },
  warn: { symbol: '!', word: 'warn', format: 'yellow' },
  observed: { symbol: '·', word: 'observed', format: 'cyan' },
  inconclusive: { symbol: '?', word: 'inconclusive', format: 'yellow' },
  'not-reached': { symbol: '-', word: 'not reached', format: 'dim' },
  waived: { symbol: '~', word: 'waived', format: 'magenta' },
};

/** Puts a format around text, or nothing. */
export type Paint = (format: Format, text: string) => string;

/** A painter; with colour off the text stays as it is, whatever the environment says. */
export function painter(color: boolean): Paint {
  // The caller has decided: the stream is not asked again.
  return (format, text) => (color ? styleText(format, text, { validateStream: false }) : text);
}

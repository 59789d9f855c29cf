import type { Verdict } from '../contracts/run/run.ts';

/** How a verdict is distinguished without colours. */
export interface VerdictWords {
  readonly symbol: string;
  readonly word: string;
}

/** The symbol and the word of each verdict, the same in every report. */
export const VERDICT_WORDS: Readonly<Record<Verdict, VerdictWords>> = {
  pass: { symbol: '✓', word: 'pass' },
  fail: { symbol: '✗', word: 'fail' },
  warn: { symbol: '!', word: 'warn' },
  observed: { symbol: '·', word: 'observed' },
  inconclusive: { symbol: '?', word: 'inconclusive' },
  'not-reached': { symbol: '-', word: 'not reached' },
  waived: { symbol: '~', word: 'waived' },
};

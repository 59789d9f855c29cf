import { brokenThresholds, loadOutcome, whyUndecided } from '../contracts/run/load/load-outcome.ts';
import { countVerdicts, type RunJson } from '../contracts/run/run.ts';
import { causesFirst } from './causes.ts';
import { replayOutcome } from './terminal/terminal-replay.ts';
import { cut, plural } from './text.ts';
import { rulesPass } from './rules-pass.ts';

/** What a run came to, in one sentence that says first what broke. */
export interface Headline {
  readonly symbol: '✓' | '✗' | '?';
  /** Without a full stop; may hold text of the service. */
  readonly words: string;
}

const MAX_CHARACTERS = 300;
const NOT_ENDED = 'the run did not come to its end';

/** What a run came to, in one sentence. What of it broke is named; the first of several. */
export function headlineOf(run: RunJson): Headline {
  const { symbol, words } = whole(run);
  return { symbol, words: `${cut(words, MAX_CHARACTERS)}${partialWords(run, words)}` };
}

function partialWords({ complete }: RunJson, words: string): string {
  if (complete) return '';
  return words.toLowerCase().endsWith(NOT_ENDED) ? ' (partial)' : ` (partial: ${NOT_ENDED})`;
}

function whole(run: RunJson): Headline {
  const { rules, load, choice, failure, notices } = run;
  const replay = replayOutcome(run);
  if (replay !== undefined) return replayed(replay);
  const failing = causesFirst(rules).filter(
    ({ verdict }) => verdict === 'fail' || choice?.failOn === 'should',
  );
  const [first, ...others] = failing;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more rule')}`;
    const { actual = 'nothing that holds it' } = first.findings[0] ?? {};
    return { symbol: '✗', words: `${first.id}${more} broken: was ${actual}` };
  }
  if (failure !== undefined) return { symbol: '?', words: `Assay itself failed: ${failure}` };
  const [threshold, ...further] = load === undefined ? [] : brokenThresholds(load);
  if (threshold !== undefined) {
    const { expression, measured } = threshold;
    const was = measured === undefined ? 'nothing was measured' : `was ${measured}`;
    const more = further.length === 0 ? '' : ` and ${further.length} more`;
    return { symbol: '✗', words: `threshold ${expression}${more} broken: ${was}` };
  }
  if (load !== undefined && loadOutcome(load) === 'invalid') {
    return { symbol: '?', words: `the figures of load do not count: ${load.invalid[0] ?? ''}` };
  }
  if (load !== undefined && loadOutcome(load) === 'undecided') {
    const words = `whether load became slower could not be told: ${whyUndecided(load)}`;
    return { symbol: '?', words };
  }
  if (run.outcome !== 'conforms') {
    const why = (notices[0] ?? 'too little was judged').replace(/\.$/, '');
    return { symbol: '?', words: `undecided: ${why}` };
  }
  const counts = countVerdicts(rules);
  const asked = rules.filter(({ api }) => run.target.urls[api] !== undefined).length;
  const warned = counts.warn === 0 ? '' : `, ${plural(counts.warn, 'warning')}`;
  return {
    symbol: '✓',
    words: `conforms: ${rulesPass(counts.pass, asked, run.limits.length)}${warned}`,
  };
}

/** The words of a replay begin with their symbol. */
function replayed(words: string): Headline {
  const symbol = (['✓', '✗'] as const).find((one) => words.startsWith(one)) ?? '?';
  return { symbol, words: words.slice(2) };
}

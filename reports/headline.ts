import { knownCounts } from '../contracts/compare/known-findings.ts';
import { countVerdicts, type RunJson } from '../contracts/run/run.ts';
import { wholeOutcome } from '../contracts/run/whole-outcome.ts';
import { causesFirst, isOfOutage } from './causes.ts';
import { inOrder } from './baseline-state.ts';
import { wasWords } from './finding-words.ts';
import { replayOutcome } from './terminal/terminal-replay.ts';
import { cut, plural } from './text.ts';
import { askedRules, rulesPass } from './rules-pass.ts';

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
  const { choice, failure } = run;
  const replay = replayOutcome(run);
  if (replay !== undefined) return replayed(replay);
  const failing = causesFirst(inOrder(run).rules).filter(
    ({ verdict }) => verdict === 'fail' || choice?.failOn === 'should',
  );
  const first = failing.find((rule) => !isOfOutage(rule));
  if (first === undefined && failing.length > 0) {
    const rules = plural(failing.length, 'rule');
    return { symbol: '✗', words: `${knownWords(run)}${rules} broken by an outage alone` };
  }
  if (first !== undefined) {
    const others = failing.length - 1;
    const more = others === 0 ? '' : ` and ${plural(others, 'more rule')}`;
    const [finding] = first.findings;
    const was = finding === undefined ? 'was nothing that holds it' : wasWords(first, finding);
    return { symbol: '✗', words: `${knownWords(run)}${first.id}${more} broken: ${was}` };
  }
  if (failure !== undefined) return { symbol: '?', words: `Assay itself failed: ${failure}` };
  const { outcome, reasons } = wholeOutcome(run);
  const [reason = 'a rule is broken', ...further] = reasons;
  if (outcome === 'does-not-conform') {
    return {
      symbol: '✗',
      words: `${reason}${further.length === 0 ? '' : `, and ${further.length} more`}`,
    };
  }
  if (outcome === 'undecided') return { symbol: '?', words: `undecided: ${reason}` };
  const asked = askedRules(run);
  const counts = countVerdicts(asked);
  const warned = counts.warn === 0 ? '' : `, ${plural(counts.warn, 'warning')}`;
  return {
    symbol: '✓',
    words: `conforms: ${rulesPass(counts.pass, asked.length, run.limits)}${warned}`,
  };
}

/** How much of what is broken is known, before what is; nothing without a file of that. */
export function knownWords(run: Pick<RunJson, 'known' | 'rules' | 'choice'>): string {
  const counts = knownCounts(run);
  if (counts === undefined || counts.known + counts.fresh === 0) return '';
  const { known, fresh, unlisted, ofOutage } = counts;
  const more = unlisted === 0 ? '' : `, ${unlisted} at places that are not listed`;
  const out = ofOutage === 0 ? '' : `, ${ofOutage} of an outage`;
  return `${known} known, ${fresh} new${more}${out}: `;
}

/** The words of a replay begin with their symbol. */
function replayed(words: string): Headline {
  const symbol = (['✓', '✗'] as const).find((one) => words.startsWith(one)) ?? '?';
  return { symbol, words: words.slice(2) };
}

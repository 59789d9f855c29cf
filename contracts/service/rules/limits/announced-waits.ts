import type { LimitedApi, WaitTruth } from '../../../run/load/limit-measurement.ts';
import type { Judgement } from '../../../judging/rule.ts';
import { eachBucket, type LimitRule } from '../../../rules/limits/limit-rule.ts';

const RETRY_AFTER = '/retryAfter';

/** Judges the announced waits of the body and of the field, those of which there is something to say. */
function waits(api: LimitedApi, judge: (wait: WaitTruth) => Judgement): LimitRule['judge'] {
  return eachBucket(api, ({ waits: truths }) => {
    const judged = truths
      // What a reset means is not shown, so the ledger has it.
      .filter(({ source }) => source !== 'rate-limit-reset')
      .map(judge)
      .filter((judgement) => judgement !== null);
    return judged.length === 0 ? null : judged.flat();
  });
}

const pointerOf = ({ source }: WaitTruth): string => (source === 'body' ? RETRY_AFTER : '');
const nameOf = ({ source }: WaitTruth): string =>
  source === 'body' ? 'retryAfter' : 'Retry-After';

/** The verdict on the numbers in the unit that they are meant in: the body's unit is not stated. */
function meant(wait: WaitTruth): WaitTruth['verdict'] {
  if (wait.verdict !== 'wrong-unit' || wait.source !== 'body') return wait.verdict;
  return wait.inThatUnit ?? wait.verdict;
}

// Section 7: rate-limit responses say retryAfter. If a client waits that long and is
// refused, the wait was false; the word leaves no other meaning, in whatever unit.
function judgeSuffices(wait: WaitTruth): Judgement {
  if (wait.judged === 0) return null;
  if (meant(wait) !== 'too-early') return [];
  const expected = `to be admitted once ${nameOf(wait)} is over`;
  return [{ pointer: pointerOf(wait), expected, actual: wait.detail }];
}

/** Services round up, twice at times, and ask for somewhat more than it takes to spread clients. */
const FAIR_ROUNDING_MS = 2000;
const FAIR_FACTOR = 1.25;

// Nothing says that the wait is the shortest that helps; but a multiple of it is no time to retry.
function judgeExcess(wait: WaitTruth): Judgement {
  if (wait.judged === 0) return null;
  if (!['too-late', 'constant'].includes(meant(wait))) return [];
  const { announcedMs = 0, measuredMs = 0 } = wait.worst ?? {};
  const isFair =
    wait.verdict !== 'wrong-unit' && announcedMs - FAIR_ROUNDING_MS <= measuredMs * FAIR_FACTOR;
  if (isFair) return [];
  const expected = `${nameOf(wait)} near the time that it takes`;
  return [{ pointer: pointerOf(wait), expected, actual: wait.detail }];
}

// RFC 9110 section 10.2.3: whole seconds, or an HTTP date.
function judgeField(wait: WaitTruth): Judgement {
  if (wait.source !== 'retry-after' || wait.verdict === 'absent') return null;
  if (!['not-a-number', 'negative', 'wrong-unit'].includes(wait.verdict)) return [];
  const expected = 'Retry-After in whole seconds, or as an HTTP date';
  return [{ pointer: '', expected, actual: wait.detail }];
}

// Section 7: the response includes both; a client that believes one must not be refuted by the other.
function judgeAgreement({ source, agrees, detail }: WaitTruth): Judgement {
  if (source !== 'retry-after' || agrees === undefined) return null;
  if (agrees) return [];
  const expected = 'Retry-After and retryAfter to name the same moment';
  return [{ pointer: RETRY_AFTER, expected, actual: `Retry-After: ${detail}` }];
}

/** The rules on the waits that are announced to throttled clients. */
export function waitRules(api: LimitedApi): readonly LimitRule[] {
  const rule = (
    name: string,
    source: string,
    protects: string,
    rulesOut: string,
    judge: (wait: WaitTruth) => Judgement,
  ): LimitRule => {
    const id = `${api}.limits.${name}`;
    return { id, level: 'should', source, protects, rulesOut, api, judge: waits(api, judge) };
  };
  return [
    rule(
      'wait-suffices',
      'implied by §7',
      'A throttled client that waits the announced time is admitted.',
      'A service whose wait ends before its window does: somebody waited just as long, and was admitted.',
      judgeSuffices,
    ),
    rule(
      'wait-not-excessive',
      'implied by §7',
      'The announced wait is not far longer than it takes to be admitted.',
      'A service that announces a constant, or another unit than it means: the wait is held against when a request was admitted.',
      judgeExcess,
    ),
    rule(
      'retry-after-field',
      'RFC 9110 §10.2.3',
      'A Retry-After field is read right by every HTTP client.',
      'A service that writes milliseconds or fractions into Retry-After.',
      judgeField,
    ),
    rule(
      'waits-agree',
      'implied by §7',
      'The body and the Retry-After field name the same time to retry.',
      'A service whose body and gateway compute the wait apart from each other.',
      judgeAgreement,
    ),
  ];
}

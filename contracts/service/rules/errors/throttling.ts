import { isObject } from '../../../wire/json.ts';
import type { AnswerJudgement, Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { announcedSeconds } from '../../../wire/http/retry-after.ts';
import { readRateLimitHeaders } from '../../../wire/rate-limit-headers.ts';
import { RATE_LIMITED } from '../../wire/error-body.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { limitFieldsIn } from '../../../wire/rate-limit-names.ts';
import { waitOf } from '../shared/reset-wait.ts';
import { typedBodyFaults } from '../shared/typed-error-body.ts';

/** A promise on the answers that say that a rate limit was exceeded. */
function throttled(
  api: ApiName,
  name: string,
  protects: string,
  rulesOut: string,
  judge: (view: View) => AnswerJudgement,
  basis: Pick<Rule, 'level' | 'source'> = { level: 'must', source: '§7' },
): Rule {
  return exchangeRule({
    id: `${api}.throttled.${name}`,
    ...basis,
    protects,
    rulesOut,
    api,
    operations: '*',
    answer: 'throttled',
    leastEvidence: 1,
    // An answer to HEAD has no body (RFC 9110 section 9.3.2).
    judge: (view) => (view.exchange.request.method === 'HEAD' ? null : judge(view)),
  });
}

// Section 7: the typed body of every non-2xx response, with the code for an exceeded rate limit.
function bodyFaults(view: View): AnswerJudgement {
  if (view.isTooMuch) return 'too much';
  const broken = typedBodyFaults(view);
  if (!isObject(view.json)) return broken;
  const { code } = view.json;
  if (typeof code !== 'string' || code === RATE_LIMITED) return broken;
  return [...broken, { pointer: '/code', expected: RATE_LIMITED, actual: view.raw('/code') }];
}

// Section 7: the response includes retryAfter, a number. Its unit is not shown, but a time to wait is
// in no unit below 0.
function retryAfterFaults(view: View): AnswerJudgement {
  if (view.isTooMuch) return 'too much';
  const retryAfter = isObject(view.json) ? view.json.retryAfter : undefined;
  if (typeof retryAfter === 'number' && retryAfter >= 0) return [];
  const pointer = '/retryAfter';
  return [{ pointer, expected: 'a number, 0 or more', actual: view.raw(pointer) }];
}

// Section 7: the response includes rate-limit headers. What they are called is not shown, so any
// field that may be one counts, Retry-After too.
function headerFaults(view: View): readonly Broken[] {
  if (limitFieldsIn(view.responseHeaders) !== 'none') return [];
  return [withoutFields(view, 'a header field that may state the limit')];
}

// Sections 7 and 8: Retry-After repeats retryAfter, beside which there are rate-limit headers; but it
// may be read as one of them.
function onlyRetryAfter(view: View): readonly Broken[] {
  if (limitFieldsIn(view.responseHeaders) !== 'retry-after alone') return [];
  return [withoutFields(view, 'a header field that may state the limit, beside Retry-After')];
}

function withoutFields({ responseHeaders }: View, expected: string): Broken {
  const names = responseHeaders.map(([name]) => name).join(', ');
  return { pointer: '', expected, actual: names === '' ? 'no header field' : names };
}

/** So many times as long as by the fields is a wait that is in another unit, or no wait at all. */
const OTHER_UNIT = 100;

// Section 7: retryAfter, which has the name of the field Retry-After, and that is in seconds (RFC 9110
// section 10.2.3). Only a number that is far too long in seconds, and fits in milliseconds, is held against
// it. The field states the wait, or else the window or the reset of the limit shows how long it may be.
function millisecondFaults(view: View): AnswerJudgement {
  if (view.isTooMuch) return 'too much';
  const retryAfter = isObject(view.json) ? view.json.retryAfter : undefined;
  if (typeof retryAfter !== 'number' || retryAfter <= 0) return null;
  const { responseHeaders, exchange } = view;
  const [inField] = announcedSeconds(undefined, responseHeaders, exchange.sentAtMs);
  const longest = inField ?? longestWaitIn(view);
  if (longest === undefined || longest < 1) return null;
  const isOther = retryAfter > OTHER_UNIT * longest && retryAfter / 1000 <= longest + 1;
  if (!isOther) return [];
  const expected =
    inField === undefined
      ? `a wait in seconds, at most the ${longest} s of the limit`
      : `a wait in seconds, as Retry-After: ${longest}`;
  return [{ pointer: '/retryAfter', expected, actual: view.raw('/retryAfter') }];
}

/** The longest wait that the rate-limit fields leave possible. */
function longestWaitIn({ responseHeaders, exchange }: View): number | undefined {
  const waits = readRateLimitHeaders(responseHeaders).readings.flatMap((reading) => [
    ...reading.policies.flatMap(({ windowSeconds }) => windowSeconds ?? []),
    ...[waitOf(reading, exchange.sentAtMs)].flatMap((wait) => wait ?? []),
  ]);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function throttlingRules(api: ApiName): readonly Rule[] {
  return [
    throttled(
      api,
      'typed-body',
      'A throttled request is answered with the typed body and the code RATE_LIMITED.',
      'A gateway that throttles before the service, with a text or a code of its own.',
      bodyFaults,
    ),
    throttled(
      api,
      'retry-after',
      'A throttled answer states in its body how long to wait.',
      'A service that states the wait in a header field alone, or as text.',
      retryAfterFaults,
    ),
    throttled(
      api,
      'rate-limit-headers',
      'A throttled client learns the state of its limit from header fields.',
      'A service whose throttled answers are made without the fields of its others.',
      headerFaults,
    ),
    throttled(
      api,
      'headers-beside-retry-after',
      'A throttled client learns more from header fields than how long to wait.',
      'A service that repeats in Retry-After what the body says, and gives no other header field.',
      onlyRetryAfter,
      { level: 'should', source: 'implied by §7, §8' },
    ),
    throttled(
      api,
      'retry-after-in-seconds',
      'The wait in the body is in seconds, as that of the field of the same name is.',
      'A service that hands on the milliseconds of its limiter: another field states how long it may take.',
      millisecondFaults,
      { level: 'should', source: 'implied by §7, RFC 9110 section 10.2.3' },
    ),
  ];
}

export const throttleRules: readonly Rule[] = [
  ...throttlingRules('zap'),
  ...throttlingRules('trade'),
];

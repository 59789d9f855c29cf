import { type Rule, runRule } from '../../judging/rule.ts';
import type { View } from '../../judging/view.ts';
import type { ApiName } from '../../wire/exchange.ts';
import { judgeFailures, judgeRefusals } from './at-times.ts';
import { judgeEachTime } from './each-time.ts';
import { type SentFact, sentFactOf } from './sent-requests.ts';
import type { ValidRequests } from './valid-answer.ts';

/** Rules that find one request failing again and again, by the last words of their ids. */
const EACH_TIME: readonly string[] = ['.errors.none-of-the-service', '.errors.none-each-time'];

/** Whether a rule is on such requests, so that one is enough to shrink a finding by. */
export function isOnFailingRequests({ id }: Pick<Rule, 'id'>): boolean {
  return EACH_TIME.some((words) => id.endsWith(words));
}

/** Of which requests the rules of an API speak, and by what promise. */
export interface ValidRequestRules {
  readonly api: ApiName;
  readonly operations: readonly string[] | '*';
  /** What promises that valid requests are served, e.g. `implied by §4`; nothing but HTTP when absent. */
  readonly promisedBy?: string;
  readonly knowledge: ValidRequests;
}

/**
 * The rules on what becomes of valid requests of one API. None meets an error of the service each time,
 * few do at random, and none is refused that is served at other times.
 */
export function validRequestRules(options: ValidRequestRules): readonly Rule[] {
  const { api, operations, promisedBy, knowledge } = options;
  const sourceOf = (rfc: string): string =>
    promisedBy === undefined ? rfc : `${promisedBy}, ${rfc}`;
  // All four ask for the same.
  const facts = new WeakMap<View, SentFact | null>();
  const base = {
    ...{ api, operations, answer: 'any', leastEvidence: 1, underLoad: 'not judged' },
    collect: (view) => {
      const known = facts.get(view);
      if (known !== undefined) return known;
      const fact = sentFactOf(view, knowledge);
      facts.set(view, fact);
      return fact;
    },
  } as const satisfies Partial<Parameters<typeof runRule<SentFact>>[0]>;
  const noService = sourceOf('RFC 9110 section 15.6 (no service)');
  return [
    runRule<SentFact>({
      ...base,
      id: `${api}.errors.none-of-the-service`,
      level: 'must',
      source: noService,
      protects: 'A valid request does not meet an error of the service each time it is sent.',
      rulesOut:
        'A service that fails in one kind of valid request whenever it comes: what failed is sent again, with others that are served between.',
      conclude: (facts) => judgeEachTime(facts, 'inexcusable'),
    }),
    runRule<SentFact>({
      ...base,
      id: `${api}.errors.none-each-time`,
      level: 'should',
      source: sourceOf('RFC 9110 section 15.6'),
      protects:
        'A valid request does not meet 502 to 504, or a 5xx that the contract states, each time it is sent.',
      rulesOut:
        'A service with a part that is always out: what met an outage is sent again eight times, with others that are served between.',
      conclude: (facts) => judgeEachTime(facts, 'excusable'),
    }),
    runRule<SentFact>({
      ...base,
      id: `${api}.errors.rarely-of-the-service`,
      once: true,
      level: 'must',
      source: noService,
      protects:
        'Valid requests do not meet errors of the service at random, more often than rarely.',
      rulesOut:
        'A service that fails in one of some twenty valid requests, whichever: all valid requests of the run are counted.',
      conclude: judgeFailures,
    }),
    runRule<SentFact>({
      ...base,
      id: `${api}.errors.served-is-not-refused`,
      once: true,
      level: 'should',
      source: sourceOf('RFC 9110 section 15.5'),
      protects: 'A valid request that is served is not refused at other times.',
      rulesOut:
        'A service that refuses one of some six valid requests, whichever: what is refused is sent again, and what is served then many times more.',
      conclude: judgeRefusals,
    }),
  ];
}

import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';

/**
 * What an answer to a valid request comes to: `failed` is an error of the service itself, `refused`
 * says that the request is not taken, `unclear` neither: an outage, a redirect, a wait.
 */
export type AnswerKind = 'served' | 'refused' | 'failed' | 'unclear';

/** Statuses that say nothing of the request: time ran out, or it came too early. */
const OF_THE_MOMENT: readonly number[] = [408, 425];

/** What the code of an error names when it is about the request, its route or a simulation. */
const ABOUT_THE_REQUEST =
  /INVALID|BAD_|VALID|UNSUPPORTED|NOT_|NO_|INSUFFICIENT|UNKNOWN_(?!ERROR)|ROUTE|LIQUIDITY|SIMULAT|ESTIMAT|REVERT|AMOUNT|SLIPPAGE|BALANCE|ALLOWANCE/i;

/**
 * The kind of an answer, throttled ones aside. Which status an error code has is not shown (section
 * 7, rule 3). So a 500 whose code is about the request is no more than a refusal.
 */
export function answerKindOf({ status, json, succeeded }: View): AnswerKind {
  if (succeeded) return 'served';
  if (status === 501) return 'refused';
  if (status === 500) return ABOUT_THE_REQUEST.test(errorCodeOf(json) ?? '') ? 'refused' : 'failed';
  if (status < 400 || status > 500 || OF_THE_MOMENT.includes(status)) return 'unclear';
  return 'refused';
}

import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { View } from '../../../judging/view.ts';
import { TYPED_ERRORS } from '../../wire/error-body.ts';
import { answerKindOf, type AnswerKind } from './answer-kind.ts';

test.each<[number, string, AnswerKind]>([
  [200, '', 'served'],
  [204, '', 'served'],
  [302, '', 'unclear'],
  [400, 'INVALID_REQUEST', 'refused'],
  [404, 'NOT_FOUND', 'refused'],
  [408, 'TIMEOUT', 'unclear'],
  [425, 'TOO_EARLY', 'unclear'],
  [500, 'INTERNAL_SERVER_ERROR', 'failed'],
  [500, 'NO_ROUTE_FOUND', 'refused'],
  [500, 'UNKNOWN_ERROR', 'failed'],
  [500, 'UNKNOWN_TOKEN', 'refused'],
  [501, 'NOT_IMPLEMENTED', 'refused'],
  [502, 'BAD_GATEWAY', 'unclear'],
  [503, 'UNAVAILABLE', 'unclear'],
])('an answer with status %i and the code %s is %s', (status, code, kind) => {
  const view = new View(exchangeOf({ status, answered: { code } }), {
    find: () => undefined,
    errors: TYPED_ERRORS,
  });
  expect(answerKindOf(view)).toBe(kind);
});

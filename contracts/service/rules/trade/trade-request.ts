import { member } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { headerOf } from '../../../wire/exchange.ts';
import { acceptedInputRules } from '../inputs/accepted-input-rules.ts';
import { tradeCallDataRules } from './call-data.ts';
import { TRADE_RELATIONS } from './trade-relations.ts';
import { excludedInputRules } from '../inputs/excluded-input-rules.ts';
import { fieldDefectRule } from '../inputs/field-defects.ts';
import { TRADE_OPERATIONS } from '../shared/operations.ts';
import { otherCallersRule } from '../shared/other-callers.ts';
import { BUILD } from '../readings/trade-build.ts';
import { tradeSimultaneousRule } from '../shared/simultaneous-requests.ts';
import { relationRule } from '../../../rules/relation-rule.ts';

/** The codes that section 7 has for a credential that is missing or not permitted. */
const CREDENTIAL_CODES: readonly unknown[] = ['UNAUTHORIZED', 'FORBIDDEN'];

/** Whether the request carries no credential and nothing else for which it may be refused so. */
function isAnonymous(view: View): boolean {
  const { purpose, request } = view.exchange;
  if (headerOf(request.headers, 'authorization') !== undefined) return false;
  if (purpose.kind === 'valid') return true;
  // Of quotes only `data` is shown, so no request is known to be valid.
  return (
    view.operation?.id === 'trade.quotes' &&
    purpose.kind === 'probe' &&
    Array.isArray(member(view.requestJson, 'data'))
  );
}

// §4.2 rule 1 and §5.2: the bearer key is optional. A 403 may have another cause, unless its code is
// one of those that section 7 has for credentials.
function lacksCredential(view: View): boolean {
  return (
    view.status === 401 ||
    (view.status === 403 && CREDENTIAL_CODES.includes(errorCodeOf(view.json)))
  );
}

export const tradeRequestRules: readonly Rule[] = [
  exchangeRule({
    id: 'trade.auth.key-is-optional',
    level: 'must',
    source: '§4.2, §5.2',
    protects: 'Who has no API key is served all the same.',
    rulesOut: 'A service that asks for a key: it would refuse what it serves here without one.',
    api: 'trade',
    operations: TRADE_OPERATIONS,
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      if (!isAnonymous(view)) return null;
      // What is refused for another reason may be so before anybody looks for a credential.
      if (!lacksCredential(view)) return view.succeeded ? [] : null;
      const actual = `${view.status} ${errorCodeOf(view.json) ?? 'without a code'}`;
      return [{ pointer: '', expected: 'no demand for a credential', actual }];
    },
  }),
  fieldDefectRule({
    id: 'trade.requests.field-defects-are-client-errors',
    source: 'implied by §2.3, RFC 9110 section 15.5',
    api: 'trade',
    operations: BUILD,
  }),
  ...excludedInputRules({ api: 'trade', operations: BUILD, section: '§2.3', least: [4, 1, 1] }),
  tradeSimultaneousRule,
  ...tradeCallDataRules,
  otherCallersRule('trade', 'trade.build-tx', '§2.3, §2.4'),
  ...Object.values(TRADE_RELATIONS).flat().map(relationRule),
  ...acceptedInputRules(BUILD),
];

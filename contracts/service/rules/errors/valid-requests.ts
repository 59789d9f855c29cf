import type { Rule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ValidRequests } from '../../../rules/valid-requests/valid-answer.ts';
import { validRequestRules } from '../../../rules/valid-requests/valid-request-rules.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { member } from '../../../wire/json.ts';
import { answerKindOf } from '../shared/answer-kind.ts';

/** What an error says of a market, or of what somebody holds: it may be otherwise the next moment. */
const OF_THE_MARKET =
  /ROUTE|LIQUID|\bPOOL|NOT[ _-]?FOUND|UNAVAILABLE|INSUFFICIENT|SIMULAT|ESTIMAT|REVERT|BALANCE|ALLOWANCE|FUNDS|TOO[ _-]?(?:SMALL|LOW|LARGE)/i;
/** What a simulated transaction meets besides, when the market has moved since it was built. */
const OF_A_SIMULATION = /SLIPPAGE|MIN[ _-]?RETURN|EXECUTION|\bGAS/i;

/** APIs that only read and build: what is built is sent to a chain by whoever asked for it. */
const READ_ONLY: readonly ApiName[] = ['zap', 'trade'];

/** Lists, and what is looked up by its address, hang on no route. */
function hangsOnMarket({ operation, exchange }: View): boolean {
  return exchange.request.method === 'POST' && operation?.id !== 'zap.pool-details';
}

/** What the document says of valid requests, and of refusals that are none of a client's mistakes. */
export const VALID_REQUESTS: ValidRequests = {
  // The one unspecified thing about requests that is valid by its types: amount is not required (§2.1).
  takenProbes: ['amount absent'],
  changesNothing: (api) => READ_ONLY.includes(api),
  kindOf: (operation, json) => (isSimulated(operation, json) ? 'simulated' : undefined),
  // Section 7, rule 3: which status an error code has is not shown.
  isAboutRequest: (view) => answerKindOf(view) === 'refused' || isOfSimulation(view),
  isOfTheWorld: (view) => {
    if (!hangsOnMarket(view)) return false;
    const said = `${view.errorCode ?? ''} ${messageOf(view)}`;
    const isInSimulation = isSimulated(view.operation?.id ?? '', view.requestJson);
    return OF_THE_MARKET.test(said) || (isInSimulation && OF_A_SIMULATION.test(said));
  },
};

/** What an error says that a simulation of the transaction ended in, which whoever holds nothing meets. */
const OF_WHO_ASKS = /SIMULAT|ESTIMAT|REVERT|BALANCE|ALLOWANCE|INSUFFICIENT|FUNDS/i;

function isOfSimulation(view: View): boolean {
  return (
    isSimulated(view.operation?.id ?? '', view.requestJson) && OF_WHO_ASKS.test(messageOf(view))
  );
}

/** More of a message is not read. */
const MAX_CHARACTERS = 500;

function messageOf({ json }: View): string {
  const message = member(json, 'message');
  return typeof message === 'string' ? message.slice(0, MAX_CHARACTERS) : '';
}

/** Whether a service simulates the transaction of a request, which may fail for who holds nothing. */
function isSimulated(operation: string, requestJson: unknown): boolean {
  if (operation === 'trade.build-tx') return member(requestJson, 'disableEstimation') !== true;
  return member(requestJson, 'estimateGas') === true;
}

/** The rules on what becomes of valid requests, of one API. */
export function validRequestsRules(api: ApiName): readonly Rule[] {
  return validRequestRules({
    ...{ api, operations: '*', promisedBy: 'implied by §4' },
    knowledge: VALID_REQUESTS,
  });
}

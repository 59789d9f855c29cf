import type { Observer } from '../../judging/ledger.ts';
import { markedObservers } from '../../observing/marked-observers.ts';
import { BUILT_IN } from '../load-contract.ts';
import { DOCS_OBSERVERS } from './observers-docs.ts';
import { ERROR_OBSERVERS } from './observers-errors.ts';
import { HTTP_OBSERVERS } from './observers-http.ts';
import { LIFE_CYCLE_OBSERVERS } from './observers-life-cycles.ts';
import { LISTING_OBSERVERS } from './observers-listings.ts';
import { TRADE_OBSERVERS } from './observers-trade.ts';
import { ZAP_OBSERVERS } from './observers-zap.ts';

/** All observers: those that the marks of the OpenAPI documents ask for, and those that do more. */
export async function loadObservers(): Promise<readonly Observer[]> {
  return [
    ...HTTP_OBSERVERS,
    ...ZAP_OBSERVERS,
    ...TRADE_OBSERVERS,
    ...LISTING_OBSERVERS,
    ...(await markedObservers(BUILT_IN.documents)),
    ...DOCS_OBSERVERS,
    ...ERROR_OBSERVERS,
    ...LIFE_CYCLE_OBSERVERS,
  ];
}

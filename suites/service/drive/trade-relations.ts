import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import { addressKey, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import { baseUnitsOf } from '../../../contracts/wire/amounts.ts';
import type { Session } from '../session/session.ts';
import { largestOfKinds } from '../session/largest-of-kinds.ts';
import type { ServedTrade } from './trade.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { RelationChecker } from '../../drive/relation-checker.ts';
import { changesBy } from '../../drive/relation.ts';
import { driveTradeCallData } from './call-data.ts';
import { driveLittleTrades } from './little-amounts.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Single } from '../relations/trade.ts';
import {
  BUILD_ADDITIONS,
  BUILD_RELATIONS,
  buildSource,
  partnerOf,
  permit2Approval,
  postBuild,
  quotesIdempotencyKey,
} from '../relations/trade.ts';

/** So many builds are asked for with little amounts. */
const LITTLE = 2;

/** Asks for served builds again with one thing changed at a time. */
export async function driveTradeRelations(
  session: Session,
  checker: RelationChecker,
  trades: readonly ServedTrade[],
): Promise<void> {
  const singles = trades.flatMap(({ body, json }) => {
    const [entry] = listOf(body.data);
    return isObject(entry) ? [{ body, entry, json }] : [];
  });
  const chosen = largestOfKinds(singles, kindOf, ({ json }) => quotedBy(json));
  for (const [index, single] of chosen.entries()) {
    const source = buildSource(session, single, singles, index);
    await checker.run(source.first, changesBy(BUILD_RELATIONS, source));
  }
  const [first] = singles;
  const beside = first && partnerOf(first, singles);
  await driveTradeCallData(
    session,
    [...chosen, ...singles].map(({ body }) => body),
    beside === undefined ? [] : [{ ...first?.body, data: [beside, first?.entry] }],
  );
  await driveLittleTrades(
    session,
    chosen.slice(0, LITTLE).map(({ body }) => body),
  );
  if (first !== undefined) await driveAcceptance(session, checker, first.body);
}

/** Routes of one kind hardly differ in what these relations ask. */
function kindOf({ body, entry }: Single): string {
  const fromNative = addressKey(String(entry.srcToken)) === addressKey(NATIVE_TOKEN);
  return `${entry.toChain === body.fromChain} ${fromNative}`;
}

/** What a build of one pair is quoted, in base units; none if it cannot be read. */
function quotedBy(json: unknown): bigint {
  const quotes = member(json, 'quotes');
  const [summary] = Object.values(isObject(quotes) ? quotes : {});
  return baseUnitsOf(member(summary, 'destAmount')) ?? 0n;
}

/** What a request may have besides, each against the same request without it. */
async function driveAcceptance(
  session: Session,
  checker: RelationChecker,
  body: TradeBody,
): Promise<void> {
  const first = postBuild(session, body);
  await checker.run(first, changesBy(BUILD_ADDITIONS, { session, first, body }));

  // A simulation would show that the sender has no such approval.
  const unsimulated = { ...body, disableEstimation: true };
  const plain = postBuild(session, unsimulated);
  const approved = { session, first: plain, body: unsimulated };
  await checker.run(plain, changesBy([permit2Approval], approved));

  const quotes: TriedRequest = {
    ...first,
    path: '/v1/quotes',
    json: session.world.quotesForm.bodyOf({
      fromChain: body.fromChain,
      sender: body.sender,
      data: body.data,
    }),
    purpose: { kind: 'probe', about: 'trade quotes' },
  };
  const keyed = { session, first: quotes, body };
  await checker.run(quotes, changesBy([quotesIdempotencyKey], keyed));
}

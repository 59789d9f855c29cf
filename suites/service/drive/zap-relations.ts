import { keptBy } from '../../../contracts/service/rules/zap/request/zap-relations.ts';
import { readRoute } from '../../../contracts/service/rules/readings/zap-route.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Route } from '../../../fixtures/service/generators/routes.ts';
import { amountsToTry } from '../session/amounts-to-try.ts';
import type { Session } from '../session/session.ts';
import { sendValid, successJson } from '../../drive/session.ts';
import { largestOfKinds } from '../session/largest-of-kinds.ts';
import type { RelationChecker } from '../../drive/relation-checker.ts';
import { changesBy } from '../../drive/relation.ts';
import { driveZapCallData } from './call-data.ts';
import { driveLittleZaps } from './little-amounts.ts';
import {
  estimateGas,
  QUOTE_RELATIONS,
  quoteSource,
  zapCapitals,
  zapIdempotencyKey,
} from '../relations/zap.ts';
import type { LearnedWorld } from '../session/world.ts';
import type { ServedRoute } from '../session/zap-request.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { zapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** Of so many routes the relations that a build shares with a quote are tried. */
const BUILT = 2;

/** This many routes are asked for again without the providers that they took. */
const RESTRICTED = 4;

/** This many tokens of decimals that no route had yet are swapped. */
const OTHER_DECIMALS = 4;

/** Asks for served routes again with one thing changed at a time. */
export async function driveZapRelations(
  session: Session,
  checker: RelationChecker,
  routes: readonly ServedRoute[],
): Promise<void> {
  const chosen = largestOfKinds(routes, ({ kind }) => kind, yieldedBy);
  for (const [index, { body }] of chosen.entries()) {
    const source = quoteSource(session, body, index);
    const others = changesBy(QUOTE_RELATIONS, source);
    if (index < BUILT) {
      others.push(...changesBy([zapIdempotencyKey], source), ...changesBy([zapCapitals], source));
    }
    await checker.run(source.first, others);
  }
  for (const { body } of chosen.slice(0, BUILT)) await driveBuild(session, checker, body);
  await driveZapCallData(
    session,
    [...chosen, ...routes].map(({ body }) => body),
  );
  await driveRestrictions(session, routes);
  await driveOtherDecimals(session, routes);
  const bodies = chosen.slice(0, BUILT).map(({ body }) => body);
  await driveLittleZaps(session, bodies);
}

/** Of how much, in base units, a route guarantees a part: nothing if all of it is guaranteed. */
function yieldedBy({ body, json }: ServedRoute): bigint {
  const route = readRoute(json, body);
  const kept = route && keptBy(route);
  return kept === null || kept.slippage === 0 ? 0n : kept.amount;
}

async function driveBuild(
  session: Session,
  checker: RelationChecker,
  body: ZapBody,
): Promise<void> {
  const built = { ...body, estimateGas: false };
  const first = validPost('/v1/buildTx', built);
  await checker.run(first, [
    ...changesBy([estimateGas], { body }),
    ...changesBy([zapIdempotencyKey], { session, first }),
    ...changesBy([zapCapitals], { first, body: built }),
  ]);
}

/**
 * Asks for routes without a provider that they took; that another way exists is not certain. Those
 * that took most come first, and go without the last and the first of these in turn. A restriction
 * may be kept by one part of a route only.
 */
async function driveRestrictions(session: Session, routes: readonly ServedRoute[]): Promise<void> {
  for (const [field, type] of [
    ['allowedDexes', 'dex'],
    ['allowedBridges', 'bridge'],
  ] as const) {
    const about = `${field} without the one taken`;
    const restrictable = routes.map((route) => ({ route, ...providersOf(session, route, type) }));
    restrictable.sort((a, b) => b.taken.length - a.taken.length);
    let sent = 0;
    for (const { route, listed, taken } of restrictable) {
      const left = sent % 2 === 0 ? taken.at(-1) : taken[0];
      const others = listed.filter((id) => id !== left);
      if (sent === RESTRICTED || left === undefined || others.length === 0) continue;
      sent += 1;
      const purpose = { kind: 'probe', about } as const;
      const body = { ...route.body, [field]: others };
      const quoted = await session.client.send({ ...validPost('/v1/quote', body), purpose });
      // What a quote keeps to a build may forget.
      if (successJson(quoted) === undefined) continue;
      await session.client.send({ ...validPost('/v1/buildTx', body), purpose });
    }
  }
}

/** Providers of a type on the chains of a route, and those that its steps took, in their order. */
function providersOf(
  { world }: Session,
  { body, json }: ServedRoute,
  type: string,
): { readonly listed: readonly string[]; readonly taken: readonly string[] } {
  const chainIds = [body.srcChainId, body.destChainId].map(Number);
  const listed = [...new Set(chainIds.flatMap((id) => world.providerIds(id, type)))];
  const steps = readRoute(json, body)?.steps ?? [];
  return {
    listed,
    taken: steps.flatMap(({ protocol = '' }) => protocol).filter((id) => listed.includes(id)),
  };
}

/**
 * Swaps tokens of decimals from which, or to which, no route led yet: services get these wrong most.
 */
async function driveOtherDecimals(session: Session, routes: readonly ServedRoute[]): Promise<void> {
  const { world } = session;
  const from = new Set<number | undefined>([undefined]);
  const to = new Set<number | undefined>([undefined]);
  for (const { body } of routes) {
    const { srcChainId, srcToken, destChainId, destToken } = body;
    from.add(world.decimalsOf({ chainId: Number(srcChainId), address: String(srcToken) }));
    to.add(world.decimalsOf({ chainId: Number(destChainId), address: String(destToken) }));
  }
  const swaps = swapsOver(world);
  for (let left = OTHER_DECIMALS; left > 0; left -= 1) {
    const news = swaps.map(({ decimals: [source, destination] }) => {
      return Number(!from.has(source)) + Number(!to.has(destination));
    });
    const most = Math.max(0, ...news);
    const swap = most === 0 ? undefined : swaps[news.indexOf(most)];
    if (swap === undefined) return;
    from.add(swap.decimals[0]);
    to.add(swap.decimals[1]);
    const { idea } = swap;
    const [amount = '1'] = amountsToTry(session, idea.source);
    await sendValid(session, validPost('/v1/quote', zapBody(session, idea, amount, 1)));
  }
}

interface Swap {
  readonly idea: Route;
  /** Of the source, of the destination. */
  readonly decimals: readonly [number | undefined, number | undefined];
}

/** Swaps over each pool, one way and the other. */
function swapsOver(world: LearnedWorld): Swap[] {
  return world.routablePools.flatMap(({ chainId, tokens }) => {
    const [one, other] = tokens.filter(isEvmAddress).map((address) => ({ chainId, address }));
    if (one === undefined || other === undefined) return [];
    return [
      [one, other],
      [other, one],
    ].flatMap(([source, destination]): Swap[] => {
      if (source === undefined || destination === undefined) return [];
      const idea = { kind: 'swap', source, destination } as const;
      return [{ idea, decimals: [world.decimalsOf(source), world.decimalsOf(destination)] }];
    });
  });
}

import { listOf, member } from '../../../contracts/wire/json.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import { successJson } from '../../drive/session.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import type { Route } from '../../../fixtures/service/generators/routes.ts';
import { routeIdeas } from '../session/routes.ts';
import { amountsToTry } from '../session/amounts-to-try.ts';
import type { RelationChecker } from '../../drive/relation-checker.ts';
import { changesBy } from '../../drive/relation.ts';
import { quoteAndBuild } from '../relations/zap.ts';
import type { ServedRoute, ZapBody } from '../session/zap-request.ts';
import { validPost, zapBody } from '../session/zap-request.ts';
import type { TokenAt } from '../session/world.ts';

/** Percent; the usual ones, none at all, and one that is no multiple of a tenth. */
const SLIPPAGES: readonly number[] = [1, 0.5, 3, 0, 2.37];

/** Ideas tried for each kind of route. */
const IDEAS_PER_KIND = 4;
/** The last of a kind that is served is built without a quote before. */
const QUOTED_PER_KIND = 3;

/**
 * Quotes routes of every kind over the target's own pools and builds those that are served.
 *
 * @returns the routes that were served, for later stages to vary
 */
export async function driveZap(session: Session, checker: RelationChecker): Promise<ServedRoute[]> {
  const served: ServedRoute[] = [];
  const isBlind = session.world.routablePools.length === 0;
  await driveIdeas(session, checker, served);
  // If no pool stated its tokens, the routes into pools did.
  if (isBlind && session.world.routablePools.length > 0) await driveIdeas(session, checker, served);
  for (const { body } of served.slice(0, 2)) await driveOptions(session, body);
  return served;
}

async function driveIdeas(
  session: Session,
  checker: RelationChecker,
  served: ServedRoute[],
): Promise<void> {
  const counted = new Map<Route['kind'], number>();
  for (const [index, idea] of routeIdeas(session, IDEAS_PER_KIND).entries()) {
    const slippage = SLIPPAGES[index % SLIPPAGES.length] ?? 1;
    const estimate = index % 3 === 0 ? { estimateGas: index % 2 === 0 } : {};
    const same = (counted.get(idea.kind) ?? 0) + 1;
    counted.set(idea.kind, same);
    if (same > QUOTED_PER_KIND && served.some(({ kind }) => kind === idea.kind)) {
      const [amount = '1'] = amountsToTry(session, idea.source);
      const body = zapBody(session, idea, amount, slippage);
      await sendValid(session, validPost('/v1/buildTx', { ...body, ...estimate }));
      continue;
    }
    const route = await quoteThenBuild(session, checker, idea, slippage, estimate);
    if (route !== undefined) served.push(route);
  }
}

async function quoteThenBuild(
  session: Session,
  checker: RelationChecker,
  idea: Route,
  slippage: number,
  estimate: ZapBody,
): Promise<ServedRoute | undefined> {
  for (const amount of amountsToTry(session, idea.source)) {
    const body = zapBody(session, idea, amount, slippage);
    const first = validPost('/v1/quote', body);
    const built = { ...body, ...estimate };
    const quoted = await checker.run(first, changesBy([quoteAndBuild], { first, built }));
    const json = successJson(quoted);
    if (json === undefined) continue;
    session.world.noteAssets(json);
    session.world.noteTokens(idea.destination, tokensOnRoute(json, idea.destination));
    return { kind: idea.kind, body, json };
  }
  return undefined;
}

/** The tokens that a route into a pool leads over on the chain of the pool. */
function tokensOnRoute(json: unknown, { chainId, address: pool }: TokenAt): string[] {
  const path = listOf(member(member(json, 'data'), 'path'));
  const entries = path.flatMap((step) => [
    ...listOf(member(step, 'input')),
    ...listOf(member(step, 'output')),
  ]);
  const assets = entries.map((entry) => member(entry, 'asset'));
  const addresses = assets
    .filter((asset) => member(asset, 'chainId') === chainId)
    .map((asset) => member(asset, 'address'))
    .filter(isEvmAddress);
  const others = [NATIVE_TOKEN, pool].map(addressKey);
  return [...new Set(addresses)].filter((address) => !others.includes(addressKey(address)));
}

/** The optional fields of the document, each in a request of its own. */
async function driveOptions(session: Session, body: ZapBody): Promise<void> {
  const { world } = session;
  const chainIds = [body.srcChainId, body.destChainId].map(Number);
  const ids = (type: string): string[] => [
    ...new Set(chainIds.flatMap((chainId) => world.providerIds(chainId, type))),
  ];
  const options: ZapBody[] = [{ allowedDexes: ids('dex') }, { allowedBridges: ids('bridge') }];
  for (const option of options) {
    await sendValid(session, validPost('/v1/quote', { ...body, ...option }));
  }
}

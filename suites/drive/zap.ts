import type { Session } from './session.ts';
import { sendValid } from './session.ts';
import type { RouteIdea } from './routes.ts';
import { amountsToTry, routeIdeas } from './routes.ts';

/** The body of a zap request (document, section 2.1). */
export type ZapBody = Readonly<Record<string, unknown>>;

/** Percent; the usual ones, none at all, and one that is no multiple of a tenth. */
const SLIPPAGES: readonly number[] = [1, 0.5, 3, 0, 2.37];

/** Ideas tried for each kind of route. */
const IDEAS_PER_KIND = 4;

/** A valid zap request for a route. */
export function zapBody(
  session: Session,
  idea: RouteIdea,
  amount: string,
  slippage: number,
): ZapBody {
  const account = session.random.address();
  return {
    srcToken: idea.source.address,
    srcChainId: idea.source.chainId,
    destToken: idea.destination.address,
    destChainId: idea.destination.chainId,
    recipient: session.random.pick([account, session.random.address()]),
    slippage,
    account,
    amount,
  };
}

/**
 * Quotes routes of every kind over the target's own pools and builds those that are served.
 *
 * @returns the request bodies that were served, for later stages to vary
 */
export async function driveZap(session: Session): Promise<ZapBody[]> {
  const served: ZapBody[] = [];
  for (const [index, idea] of routeIdeas(session, IDEAS_PER_KIND).entries()) {
    const slippage = SLIPPAGES[index % SLIPPAGES.length] ?? 1;
    const body = await quoteUntilServed(session, idea, slippage);
    if (body === undefined) continue;
    served.push(body);
    const estimate = index % 3 === 0 ? { estimateGas: index % 2 === 0 } : {};
    await postZap(session, '/v1/buildTx', { ...body, ...estimate });
  }
  for (const body of served.slice(0, 2)) await driveOptions(session, body);
  return served;
}

async function quoteUntilServed(
  session: Session,
  idea: RouteIdea,
  slippage: number,
): Promise<ZapBody | undefined> {
  for (const amount of amountsToTry(session, idea.source)) {
    const body = zapBody(session, idea, amount, slippage);
    const json = await postZap(session, '/v1/quote', body);
    if (json === undefined) continue;
    session.world.noteAssets(json);
    return body;
  }
  return undefined;
}

/** The optional fields of the document, each in a request of its own. */
async function driveOptions(session: Session, body: ZapBody): Promise<void> {
  const { world } = session;
  const chainIds = [body.srcChainId, body.destChainId].map(Number);
  const ids = (type: string): string[] => [
    ...new Set(chainIds.flatMap((chainId) => world.providerIds(chainId, type))),
  ];
  const options: ZapBody[] = [{ allowedDexes: ids('dex') }, { allowedBridges: ids('bridge') }];
  for (const option of options) await postZap(session, '/v1/quote', { ...body, ...option });
}

async function postZap(session: Session, path: string, json: ZapBody): Promise<unknown> {
  return sendValid(session, { api: 'zap', method: 'POST', path, json });
}

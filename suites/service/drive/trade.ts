import { isObject } from '../../../contracts/wire/json.ts';
import {
  FAR_RECIPIENTS,
  tokensBeyondEvm,
} from '../../../fixtures/service/generators/beyond-evm.ts';
import type { Route } from '../../../fixtures/service/generators/routes.ts';
import { routeIdeas } from '../session/routes.ts';
import { amountsToTry } from '../session/amounts-to-try.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import { sendValid, successJson } from '../../drive/session.ts';

/** One entry of a trade request's `data` (document, section 2.3). */
type TradeEntry = Readonly<Record<string, unknown>>;
/** A build that was served. */
export interface ServedTrade {
  readonly body: TradeBody;
  /** The parsed answer to a build of the same entry. */
  readonly json: unknown;
}

/** An entry that was served, with the answer to its build. */
interface ServedEntry {
  readonly entry: TradeEntry;
  readonly json: unknown;
}

const IDEAS_PER_KIND = 3;
const PROVIDERS_TRIED = 4;
const SLIPPAGES: readonly number[] = [1, 0.5, 3];

/**
 * Asks for trade quotes and builds over the tokens that are known: plain, gasless, with the optional
 * flags, in a batch, and to chains that are not EVM.
 *
 * @returns the builds that were served, for later stages to vary
 */
export async function driveTrade(session: Session): Promise<ServedTrade[]> {
  const ideas = routeIdeas(session, IDEAS_PER_KIND).filter(({ kind }) => !kind.includes('deposit'));
  const entries = new Map<number, TradeEntry[]>();
  const served: ServedTrade[] = [];
  for (const [index, idea] of ideas.entries()) {
    const slippage = SLIPPAGES[index % SLIPPAGES.length] ?? 1;
    const built = await buildUntilServed(session, idea, slippage);
    if (built === undefined) continue;
    const { entry, json } = built;
    const { chainId } = idea.source;
    served.push({ body: tradeBody(session, chainId, [entry]), json });
    entries.set(chainId, [...(entries.get(chainId) ?? []), entry]);
  }
  await driveForms(session, entries);
  return served;
}

/** A valid trade build request for entries that start on one chain. */
function tradeBody(session: Session, fromChain: number, data: readonly TradeEntry[]): TradeBody {
  const sender = session.random.address();
  return {
    fromChain,
    sender,
    refundee: session.random.pick([sender, session.random.address()]),
    gasless: false,
    hasPermit2ApprovalForAllTokens: false,
    data,
    ...(session.world.simulationFails ? { disableEstimation: true } : {}),
  };
}

/** Tries the providers that may serve a route, those first that the service's own quotes name. */
async function buildUntilServed(
  session: Session,
  idea: Route,
  slippage: number,
): Promise<ServedEntry | undefined> {
  const { source, destination } = idea;
  for (const amount of amountsToTry(session, source)) {
    const entry = {
      amount,
      srcToken: source.address,
      destToken: destination.address,
      slippage,
      toChain: destination.chainId,
      recipient: session.random.address(),
    };
    const quoted = await quote(session, source.chainId, entry);
    const providers = providersToTry(session, idea, quoted);
    for (const protocol of providers) {
      const body = tradeBody(session, source.chainId, [{ ...entry, protocol }]);
      const json = await build(session, body);
      if (json !== undefined) return { entry: { ...entry, protocol }, json };
    }
    const [protocol] = providers;
    if (protocol === undefined || session.world.simulationFails) continue;
    const unsimulated = tradeBody(session, source.chainId, [{ ...entry, protocol }]);
    const json = await build(session, { ...unsimulated, disableEstimation: true });
    if (json === undefined) continue;
    session.world.simulationFails = true;
    return { entry: { ...entry, protocol }, json };
  }
  return undefined;
}

/** Asks for quotes; the request beyond `data` is not shown, so nothing is obliged. */
async function quote(session: Session, fromChain: number, entry: TradeEntry): Promise<unknown> {
  const exchange = await session.client.send({
    api: 'trade',
    method: 'POST',
    path: '/v1/quotes',
    json: session.world.quotesForm.bodyOf({
      fromChain,
      sender: session.random.address(),
      data: [entry],
    }),
    credential: session.keyedCredential,
    purpose: { kind: 'probe', about: 'trade quotes' },
  });
  const json = successJson(exchange);
  session.world.quotesForm.note(json !== undefined);
  return json;
}

function providersToTry(session: Session, idea: Route, quoted: unknown): string[] {
  const { chainId } = idea.source;
  const type = chainId === idea.destination.chainId ? 'dex' : 'bridge';
  const likely = session.random.sample(session.world.providerIds(chainId, type), PROVIDERS_TRIED);
  return namedProviders(session, chainId, quoted, likely).slice(0, PROVIDERS_TRIED);
}

/** The chain's providers that a quote names, then others worth a try. */
function namedProviders(
  session: Session,
  chainId: number,
  quoted: unknown,
  others: readonly string[],
): string[] {
  const known = session.world.providerIds(chainId);
  return [...new Set([...wordsIn(quoted).filter((word) => known.includes(word)), ...others])];
}

/** All keys and strings of a JSON value: if the shape is open, a provider's id is among them. */
function wordsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json];
  if (Array.isArray(json)) return json.flatMap(wordsIn);
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => [key, ...wordsIn(value)]);
}

/** The forms of a build: gasless, flags, batches, and destinations beyond the EVM. */
async function driveForms(
  session: Session,
  entries: ReadonlyMap<number, readonly TradeEntry[]>,
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const [chainId, [entry]] = first;
  if (entry === undefined) return;
  const plain = tradeBody(session, chainId, [entry]);
  const flags: TradeBody[] = [
    { gasless: true },
    { hasPermit2ApprovalForAllTokens: true },
    { disablePricing: true },
    { disableEstimation: true },
  ];
  for (const flag of flags) await build(session, { ...plain, ...flag });
  // 0 is a tolerance too, which a service may take for none given.
  await build(session, { ...plain, data: [{ ...entry, slippage: 0 }] });
  for (const [fromChain, all] of entries) {
    const different = [...new Map(all.map((one) => [String(one.destToken), one])).values()];
    if (different.length > 1) await build(session, tradeBody(session, fromChain, different));
  }
  await driveFarDestinations(session, chainId, entry);
}

const FAR_ROUTES = 4;

/**
 * Builds to chains whose addresses are not EVM's. Which of them a route reaches, and whom there,
 * is open.
 */
async function driveFarDestinations(
  session: Session,
  fromChain: number,
  entry: TradeEntry,
): Promise<void> {
  const entries = tokensBeyondEvm(session.world).flatMap(
    ({ chainId: toChain, address: destToken }) =>
      FAR_RECIPIENTS.map((recipient) => ({
        amount: entry.amount,
        srcToken: entry.srcToken,
        slippage: entry.slippage,
        destToken,
        toChain,
        recipient,
      })),
  );
  for (const far of entries.slice(0, FAR_ROUTES)) {
    const quoted = await quote(session, fromChain, far);
    const bridges = session.random.sample(session.world.providerIds(fromChain, 'bridge'), 1);
    for (const protocol of namedProviders(session, fromChain, quoted, bridges).slice(0, 2)) {
      await session.client.send({
        api: 'trade',
        method: 'POST',
        path: '/v1/buildTx',
        json: tradeBody(session, fromChain, [{ ...far, protocol }]),
        credential: session.keyedCredential,
        purpose: { kind: 'probe', about: 'destinations beyond the EVM' },
      });
    }
  }
}

async function build(session: Session, json: TradeBody): Promise<unknown> {
  return sendValid(session, {
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    json,
    credential: session.keyedCredential,
  });
}

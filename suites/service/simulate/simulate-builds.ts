/** Builds what a service served before for accounts of nobody, and executes that on the nodes of the run. */

import { View } from '../../../contracts/judging/view.ts';
import { judgeAttempt } from '../../../contracts/service/rules/simulated/promises.ts';
import type { SimulatedBuild } from '../../../contracts/service/rules/simulated/build.ts';
import {
  BUILD_ROLE,
  groupOf,
  SIMULATED,
} from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { simulatedTrade } from '../../../contracts/service/rules/trade/simulated.ts';
import { simulatedZap } from '../../../contracts/service/rules/zap/response/simulated.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { postBuild } from '../relations/trade.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';
import { SimulatedChain } from './chain.ts';

/** Something to be built and simulated. */
interface Candidate {
  readonly chainId: number;
  /** What it spends for what: each pair is simulated once. */
  readonly pair: string;
  /** The request for accounts that nobody has, others each time; it asks for the gas if it may. */
  readonly fresh: (asksForGas: boolean) => TriedRequest;
  readonly read: (view: View) => SimulatedBuild | null;
}

/** Builds of one API that are simulated in a run. */
const MOST_BUILDS = 20;
/** With no tolerance a transaction may rightly fail as soon as prices move. */
const LEAST_SLIPPAGE = 1;
/** A build that breaks something is built and simulated so often in all. */
const ATTEMPTS = 2;

const tolerant = (slippage: unknown): number =>
  typeof slippage === 'number' && slippage > LEAST_SLIPPAGE ? slippage : LEAST_SLIPPAGE;

/** Simulates zaps that were served. */
export function simulateZaps(session: Session, bodies: readonly ZapBody[]): Promise<string[]> {
  const { random } = session;
  const candidates = bodies.map((body): Candidate => {
    const { srcChainId, srcToken, destChainId, destToken, slippage } = body;
    return {
      chainId: Number(srcChainId),
      pair: JSON.stringify([srcChainId, srcToken, destChainId, destToken]),
      fresh: (asksForGas) => {
        const people = { account: random.address(), recipient: random.address() };
        const asked = { ...body, ...people, slippage: tolerant(slippage), estimateGas: asksForGas };
        return validPost('/v1/buildTx', asked);
      },
      read: simulatedZap,
    };
  });
  return simulateBuilds(session, candidates);
}

/** Simulates trades that were served. */
export function simulateTrades(session: Session, bodies: readonly TradeBody[]): Promise<string[]> {
  const { random } = session;
  const candidates = bodies.map((body): Candidate => {
    const entries = listOf(body.data).filter(isObject);
    const pairs = entries.map(({ srcToken, destToken, toChain }) => [srcToken, destToken, toChain]);
    return {
      chainId: Number(body.fromChain),
      pair: JSON.stringify([body.fromChain, pairs]),
      fresh: () => {
        const sender = random.address();
        const data = entries.map((entry) => ({
          ...entry,
          recipient: random.address(),
          slippage: tolerant(entry.slippage),
        }));
        return postBuild(session, { ...body, sender, refundee: sender, data });
      },
      read: simulatedTrade,
    };
  });
  return simulateBuilds(session, candidates);
}

/**
 * Simulates one build of each pair on the chains that have nodes.
 *
 * @returns why builds of a chain were not simulated, or say less than they might: a sentence for each reason
 */
async function simulateBuilds(session: Session, all: readonly Candidate[]): Promise<string[]> {
  const { nodes, world } = session;
  if (nodes === undefined) return [];
  const nodesOf = (chainId: number) => nodes.ofChain(chainId, world.nodesOf(chainId));
  const distinct = [...new Map(all.map((one) => [one.pair, one])).values()];
  const chosen = distinct
    .filter(({ chainId }) => nodesOf(chainId).length > 0)
    .slice(0, MOST_BUILDS);
  const left = new Map<string, Omission>();
  const leaveOut = (chainId: number, why: string, builds = 1): void => {
    const key = `${chainId} ${why}`;
    left.set(key, { chainId, why, builds: (left.get(key)?.builds ?? 0) + builds });
  };
  for (const chainId of nodes.named)
    if (!world.chainIds.includes(chainId)) leaveOut(chainId, UNKNOWN, 0);
  const chains = new Map<number, SimulatedChain | { readonly why: string }>();
  let asksForGas = true;
  for (const candidate of chosen) {
    const { chainId } = candidate;
    const spent = nodes.whySpent();
    const chain =
      spent === undefined
        ? (chains.get(chainId) ?? (await SimulatedChain.open(chainId, nodesOf(chainId))))
        : { why: spent };
    if (spent === undefined) chains.set(chainId, chain);
    const why =
      chain instanceof SimulatedChain
        ? await simulateOne(session, candidate, chain, asksForGas)
        : chain.why;
    asksForGas = !asksForGas;
    if (why !== undefined) leaveOut(chainId, why);
  }
  return [...left.values()].map(omissionWords);
}

/** Builds of a chain about which something is not known, and why. */
interface Omission {
  readonly chainId: number;
  readonly why: string;
  readonly builds: number;
}

function omissionWords({ chainId, why, builds }: Omission): string {
  return builds === 0
    ? `No build on chain ${chainId}, whose node is named, was simulated: ${why}.`
    : `Not all builds on chain ${chainId} were simulated: ${why} (${builds}).`;
}

const UNKNOWN = 'the service lists no such chain';
const UNFIT =
  'none was served for other accounts that states one transaction and a spender who needs no signature';

/** @returns why it was not simulated, or says less than it might */
async function simulateOne(
  session: Session,
  { fresh, read }: Candidate,
  chain: SimulatedChain,
  asksForGas: boolean,
): Promise<string | undefined> {
  session.groupCount += 1;
  const request = `${SIMULATED}-${session.groupCount}`;
  let doubt: string | undefined;
  // Where a service estimates gas for who holds nothing, it may rightly refuse: it is asked again without.
  let asks = asksForGas;
  let left = ATTEMPTS;
  for (let number = 1; left > 0; number += 1) {
    const group = groupOf(request, number);
    const relations = [{ kind: SIMULATED, group, role: BUILD_ROLE }];
    const exchange = await session.client.send({ ...fresh(asks), relations });
    const build = read(new View(exchange, session.contract));
    if (build === null && !asks) return UNFIT;
    if (build === null) {
      asks = false;
      continue;
    }
    left -= 1;
    const { attempt, why } = await chain.simulate(build, group);
    if (attempt === undefined) return why;
    doubt = why;
    const judged = Object.values(judgeAttempt(attempt));
    if (judged.every((judgement) => judgement === null || judgement.length === 0)) break;
  }
  return doubt;
}

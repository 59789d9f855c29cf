/** Builds what a service served before for accounts of nobody, and executes that on the nodes of the run. */

import { View } from '../../../contracts/judging/view.ts';
import {
  isOpen,
  MOST_ATTEMPTS,
  type Said,
} from '../../../contracts/service/rules/simulated/agreed.ts';
import { outcomeOf } from '../../../contracts/service/rules/simulated/attempt.ts';
import { judgeAttempt } from '../../../contracts/service/rules/simulated/promises.ts';
import type { SimulatedBuild } from '../../../contracts/service/rules/simulated/build.ts';
import {
  BUILD_ROLE,
  groupOf,
  SIMULATED,
} from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { simulatedTrade } from '../../../contracts/service/rules/trade/simulated.ts';
import { simulatedZap } from '../../../contracts/service/rules/zap/response/simulated.ts';
import { addressKey, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { postBuild } from '../relations/trade.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';
import { SimulatedChain } from './chain.ts';
import { createOmissions, type Simulated } from './omissions.ts';

/** What a build is asked for with. */
interface Asking {
  readonly gas: boolean;
  /** Whether the account is the recipient, too. */
  readonly forItself: boolean;
}

/** Something to be built and simulated. */
interface Candidate {
  readonly chainId: number;
  /** What it spends for what: each pair is simulated once. */
  readonly pair: string;
  /** Whether what arrives at the account can be distinguished from what leaves it. */
  readonly mayBeForItself: boolean;
  /** The request for accounts that nobody has, others each time. */
  readonly fresh: (asking: Asking) => TriedRequest;
  readonly read: (view: View) => SimulatedBuild | null;
}

/** Builds of one API that are simulated in a run. */
const MOST_BUILDS = 20;
/** Of them, those for the account itself, as most are that people make. */
const MOST_FOR_ITSELF = 5;
/** With no tolerance a transaction may rightly fail as soon as prices move. */
const LEAST_SLIPPAGE = 1;

const tolerant = (slippage: unknown): number =>
  typeof slippage === 'number' && slippage > LEAST_SLIPPAGE ? slippage : LEAST_SLIPPAGE;

/** Whether no token both leaves and arrives; native coins may always leave, for fees. */
function isApart(sources: readonly unknown[], destinations: readonly unknown[]): boolean {
  const leaving = new Set([...sources, NATIVE_TOKEN].map((token) => addressKey(String(token))));
  return !destinations.some((token) => leaving.has(addressKey(String(token))));
}

/**
 * Simulates zaps that were served.
 *
 * @param notices gets why builds were not simulated, or say less than they might: a sentence for each reason
 */
export function simulateZaps(
  session: Session,
  bodies: readonly ZapBody[],
  notices: string[],
): Promise<void> {
  const { random } = session;
  const candidates = bodies.map((body): Candidate => {
    const { srcChainId, srcToken, destChainId, destToken, slippage } = body;
    return {
      chainId: Number(srcChainId),
      pair: JSON.stringify([srcChainId, srcToken, destChainId, destToken]),
      mayBeForItself: isApart([srcToken], [destToken]),
      fresh: ({ gas, forItself }) => {
        const account = random.address();
        const recipient = forItself ? account : random.address();
        const people = { account, recipient, slippage: tolerant(slippage) };
        return validPost('/v1/buildTx', { ...body, ...people, estimateGas: gas });
      },
      read: simulatedZap,
    };
  });
  return simulateBuilds(session, 'zap', candidates, notices);
}

/** The same of trades that were served. */
export function simulateTrades(
  session: Session,
  bodies: readonly TradeBody[],
  notices: string[],
): Promise<void> {
  const { random } = session;
  const candidates = bodies.map((body): Candidate => {
    const entries = listOf(body.data).filter(isObject);
    const pairs = entries.map(({ srcToken, destToken, toChain }) => [srcToken, destToken, toChain]);
    return {
      chainId: Number(body.fromChain),
      pair: JSON.stringify([body.fromChain, pairs]),
      mayBeForItself: isApart(
        entries.map(({ srcToken }) => srcToken),
        entries.map(({ destToken }) => destToken),
      ),
      fresh: ({ forItself }) => {
        const sender = random.address();
        const data = entries.map((entry) => ({
          ...entry,
          recipient: forItself ? sender : random.address(),
          slippage: tolerant(entry.slippage),
        }));
        return postBuild(session, { ...body, sender, refundee: sender, data });
      },
      read: simulatedTrade,
    };
  });
  return simulateBuilds(session, 'trade', candidates, notices);
}

/** Simulates one build of each pair on the chains that have nodes. */
async function simulateBuilds(
  session: Session,
  api: 'zap' | 'trade',
  all: readonly Candidate[],
  notices: string[],
): Promise<void> {
  const { nodes, world } = session;
  if (nodes === undefined) return;
  const nodesOf = (chainId: number) => nodes.ofChain(chainId, world.nodesOf(chainId));
  const distinct = [...new Map(all.map((one) => [one.pair, one])).values()];
  const pairs = inTurn(distinct.filter(({ chainId }) => nodesOf(chainId).length > 0)).slice(
    0,
    MOST_BUILDS - MOST_FOR_ITSELF,
  );
  const chosen = [
    ...pairs.map((candidate) => ({ candidate, forItself: false })),
    ...pairs
      .filter(({ mayBeForItself }) => mayBeForItself)
      .slice(0, MOST_FOR_ITSELF)
      .map((candidate) => ({ candidate, forItself: true })),
  ];
  const omissions = createOmissions(api);
  const isChosen = (chainId: number): boolean => pairs.some((one) => one.chainId === chainId);
  for (const chainId of nodes.named) {
    if (isChosen(chainId)) continue;
    const isBuilt = distinct.some((one) => one.chainId === chainId);
    const isListed = world.chainIds.includes(chainId);
    omissions.named(chainId, isBuilt ? TOO_MANY : isListed ? NOT_BUILT : UNKNOWN);
  }
  const failed = new Set<number>();
  const chains = new Map<number, SimulatedChain | { readonly why: string }>();
  try {
    for (const [turn, { candidate, forItself }] of chosen.entries()) {
      const { chainId } = candidate;
      const spent = nodes.whySpent();
      const chain =
        spent === undefined
          ? (chains.get(chainId) ?? (await SimulatedChain.open(chainId, nodesOf(chainId))))
          : { why: spent };
      // A node that fails once is asked once more.
      if (chain instanceof SimulatedChain || failed.has(chainId)) chains.set(chainId, chain);
      else failed.add(chainId);
      const asking = { gas: turn % 2 === 0, forItself };
      const came =
        chain instanceof SimulatedChain
          ? await simulateOne(session, candidate, chain, asking)
          : { wasSimulated: false, why: chain.why };
      omissions.note(chainId, came);
    }
  } finally {
    notices.push(...omissions.sentences());
  }
}

/** The same candidates, of one chain after the other in turn. */
function inTurn(candidates: readonly Candidate[]): Candidate[] {
  const counts = new Map<number, number>();
  const placed = candidates.map((candidate) => {
    const round = counts.get(candidate.chainId) ?? 0;
    counts.set(candidate.chainId, round + 1);
    return { candidate, round };
  });
  return placed.sort((one, other) => one.round - other.round).map(({ candidate }) => candidate);
}

const UNKNOWN = 'the service lists no such chain, as far as it lists any';
const NOT_BUILT = 'no build of it was served before';
const TOO_MANY = `no more than ${MOST_BUILDS} builds of an API are simulated`;
const UNFIT =
  'none was served for other accounts that states one transaction and a spender who needs no signature';

async function simulateOne(
  session: Session,
  { fresh, read }: Candidate,
  chain: SimulatedChain,
  { gas, forItself }: Asking,
): Promise<Simulated> {
  session.groupCount += 1;
  const request = `${SIMULATED}-${session.groupCount}`;
  let why: string | undefined;
  let fails = false;
  const judged: Judged[] = [];
  // Where a service estimates gas for who holds nothing, it may rightly refuse: it is asked again without.
  let asksForGas = gas;
  for (let number = 1; needsAnother(judged); number += 1) {
    const group = groupOf(request, number);
    const relations = [{ kind: SIMULATED, group, role: BUILD_ROLE }];
    const asked = fresh({ gas: asksForGas, forItself });
    const exchange = await session.client.send({ ...asked, relations });
    const build = read(new View(exchange, session.contract));
    if (build === null && asksForGas) {
      asksForGas = false;
      continue;
    }
    const came = build === null ? { why: UNFIT } : await chain.simulate(build, group);
    why = came.why;
    if (came.attempt === undefined) break;
    judged.push(judgeAttempt(came.attempt));
    fails = outcomeOf(came.attempt).strict === 'failed';
  }
  const isDismissed = isAnyOpen(judged);
  const wasSimulated = judged.length > 0;
  return { wasSimulated, isDismissed, fails, ...(why === undefined ? {} : { why }) };
}

type Judged = ReturnType<typeof judgeAttempt>;

/** Whether it is open of a promise whether what is wrong with builds of a request counts. */
function isAnyOpen(judged: readonly Judged[]): boolean {
  const promises = Object.keys(judged[0] ?? {}) as (keyof Judged)[];
  return promises.some((promise) =>
    isOpen(judged.flatMap(({ [promise]: one }): Said[] => (one === null ? [] : [one]))),
  );
}

/** Whether a further build of a request may decide something. */
function needsAnother(judged: readonly Judged[]): boolean {
  if (judged.length === 0) return true;
  return judged.length < MOST_ATTEMPTS && isAnyOpen(judged);
}

/** What was served before, and may be built anew for accounts of nobody. */

import type { View } from '../../../contracts/judging/view.ts';
import type { SimulatedBuild } from '../../../contracts/service/rules/simulated/build.ts';
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

/** What a build is asked for with. */
export interface Asking {
  readonly gas: boolean;
  /** Whether the account is the recipient, too. */
  readonly forItself: boolean;
  /** Percent: the least that is sensible, so that little can be taken of it, or what was served before. */
  readonly slippage: 'least' | 'as served';
}

/** Something to be built and simulated. */
export interface Candidate {
  readonly chainId: number;
  /** What it spends for what: each pair is simulated once. */
  readonly pair: string;
  /** Whether what arrives at the account can be distinguished from what leaves it. */
  readonly mayBeForItself: boolean;
  /** The request for accounts that nobody has, others each time. */
  readonly fresh: (asking: Asking) => TriedRequest;
  readonly read: (view: View) => SimulatedBuild | null;
}

/** With no tolerance a transaction may rightly fail as soon as prices move. */
const LEAST_SLIPPAGE = 1;

function tolerated(served: unknown, { slippage }: Asking): number {
  const isMore = typeof served === 'number' && served > LEAST_SLIPPAGE;
  return slippage === 'as served' && isMore ? served : LEAST_SLIPPAGE;
}

/** Whether no token both leaves and arrives; native coins may always leave, for fees. */
function isApart(sources: readonly unknown[], destinations: readonly unknown[]): boolean {
  const leaving = new Set([...sources, NATIVE_TOKEN].map((token) => addressKey(String(token))));
  return !destinations.some((token) => leaving.has(addressKey(String(token))));
}

/** Zaps that were served, each to be built anew. */
export function zapCandidates(
  { random }: Pick<Session, 'random'>,
  bodies: readonly ZapBody[],
): Candidate[] {
  return bodies.map((body) => {
    const { srcChainId, srcToken, destChainId, destToken, slippage } = body;
    return {
      chainId: Number(srcChainId),
      pair: JSON.stringify([srcChainId, srcToken, destChainId, destToken]),
      mayBeForItself: isApart([srcToken], [destToken]),
      fresh: (asking) => {
        const account = random.address();
        const recipient = asking.forItself ? account : random.address();
        const people = { account, recipient, slippage: tolerated(slippage, asking) };
        return validPost('/v1/buildTx', { ...body, ...people, estimateGas: asking.gas });
      },
      read: simulatedZap,
    };
  });
}

/** The same of trades that were served. */
export function tradeCandidates(session: Session, bodies: readonly TradeBody[]): Candidate[] {
  const { random } = session;
  return bodies.map((body) => {
    const entries = listOf(body.data).filter(isObject);
    const pairs = entries.map(({ srcToken, destToken, toChain }) => [srcToken, destToken, toChain]);
    return {
      chainId: Number(body.fromChain),
      pair: JSON.stringify([body.fromChain, pairs]),
      mayBeForItself: isApart(
        entries.map(({ srcToken }) => srcToken),
        entries.map(({ destToken }) => destToken),
      ),
      fresh: (asking) => {
        const sender = random.address();
        const data = entries.map((entry) => ({
          ...entry,
          recipient: asking.forItself ? sender : random.address(),
          slippage: tolerated(entry.slippage, asking),
        }));
        return postBuild(session, { ...body, sender, refundee: sender, data });
      },
      read: simulatedTrade,
    };
  });
}

/** The same candidates, of one chain after the other in turn. */
export function inTurn(candidates: readonly Candidate[]): Candidate[] {
  const counts = new Map<number, number>();
  const placed = candidates.map((candidate) => {
    const round = counts.get(candidate.chainId) ?? 0;
    counts.set(candidate.chainId, round + 1);
    return { candidate, round };
  });
  return placed.sort((one, other) => one.round - other.round).map(({ candidate }) => candidate);
}

/** Builds what a service served before for accounts of nobody, and executes that on the nodes of the run. */

import { View } from '../../../contracts/judging/view.ts';
import {
  isOpen,
  MOST_ATTEMPTS,
  type Said,
} from '../../../contracts/service/rules/simulated/agreed.ts';
import { outcomeOf } from '../../../contracts/service/rules/simulated/attempt.ts';
import type { SimulatedBuild } from '../../../contracts/service/rules/simulated/build.ts';
import {
  type JudgedPromises,
  judgedAttempt,
} from '../../../contracts/service/rules/simulated/promises.ts';
import {
  BUILD_ROLE,
  groupOf,
  SIMULATED,
} from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { Interrupted } from '../../../target/budget/governor.ts';
import type { Session } from '../session/session.ts';
import { type Candidate, inTurn } from './candidates.ts';
import { SimulatedChain } from './chain.ts';
import { createOmissions } from './omissions.ts';
import { createSideBySide } from './side-by-side.ts';

/** Builds of one API that are simulated in a run. */
const MOST_BUILDS = 20;
/** Of them, those for the account itself, as most are that people make. */
const MOST_FOR_ITSELF = 5;
/** Builds that nodes execute at once, while the service is asked for the next. */
const MOST_AT_ONCE = 4;

/** A request that is built for other people each time, and what came of it so far. */
interface Tried {
  readonly candidate: Candidate;
  readonly forItself: boolean;
  /** Where a service estimates gas for who holds nothing, it may rightly refuse: it is asked again without. */
  asksForGas: boolean;
  readonly request: string;
  /** Of the last build. */
  number: number;
  readonly judged: JudgedPromises[];
  fails: boolean;
  why: string | undefined;
  isOver: boolean;
}

/**
 * Simulates one build of each pair on the chains that have nodes.
 *
 * @param notices gets why builds were not simulated, or say less than they might: a sentence for each reason
 */
export async function simulateBuilds(
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
  const forThemselves = pairs.filter((one) => one.mayBeForItself).slice(0, MOST_FOR_ITSELF);
  const chosen = [
    ...pairs.map((candidate) => ({ candidate, forItself: false })),
    ...forThemselves.map((candidate) => ({ candidate, forItself: true })),
  ].map(({ candidate, forItself }, turn): Tried => {
    session.groupCount += 1;
    const request = `${SIMULATED}-${session.groupCount}`;
    const asking = { candidate, forItself, asksForGas: turn % 2 === 0 };
    const came = { number: 0, judged: [], fails: false, why: undefined, isOver: false };
    return { ...asking, request, ...came };
  });
  const omissions = createOmissions(api);
  const isChosen = (chainId: number): boolean => pairs.some((one) => one.chainId === chainId);
  for (const chainId of nodes.named) {
    if (isChosen(chainId)) continue;
    const isBuilt = distinct.some((one) => one.chainId === chainId);
    const isListed = world.chainIds.includes(chainId);
    omissions.named(chainId, isBuilt ? TOO_MANY : isListed ? NOT_BUILT : UNKNOWN);
  }
  for (const { chainId } of distinct) {
    const why = nodes.whyNone(chainId, world.nodesOf(chainId));
    if (why !== undefined) omissions.note({ chainId, judged: [], fails: false, why });
  }
  let whyEnded: string | undefined;
  try {
    const chains = await openedOf(
      session,
      new Set(chosen.map(({ candidate }) => candidate.chainId)),
    );
    for (let open = chosen; open.length > 0; open = chosen.filter((one) => !one.isOver))
      await buildEach(session, open, chains);
  } catch (error) {
    whyEnded = error instanceof Interrupted ? INTERRUPTED : ENDED;
    throw error;
  } finally {
    for (const { candidate, judged, fails, why, isOver } of chosen) {
      const ofBuild = why ?? (isOver ? undefined : whyEnded);
      omissions.note({ chainId: candidate.chainId, judged, fails, why: ofBuild });
    }
    notices.push(...omissions.sentences());
  }
}

/** Base units: a millionth of a coin, of which accounts get thousands. */
const LEAST_COINS = 10n ** 12n;

const UNKNOWN = 'the service lists no such chain, as far as it lists any';
const NOT_BUILT = 'no build of it was served before';
const TOO_MANY = `no more than ${MOST_BUILDS} builds of an API are simulated`;
const INTERRUPTED = 'the run was interrupted before';
const ENDED = 'the run ended before';
const UNFIT =
  'none was served for other accounts that states one transaction and a spender who needs no signature';

type Opened = SimulatedChain | { readonly why: string };

/** Opens all chains at once; one whose node fails, once more. */
async function openedOf(
  { nodes, world, random }: Session,
  chainIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Opened>> {
  const opening = [...chainIds].map(async (chainId) => {
    const ofChain = nodes?.ofChain(chainId, world.nodesOf(chainId)) ?? [];
    // As little as people hold, and no two runs the same.
    const spareCoins = LEAST_COINS * BigInt(random.integer(1_000, 9_999));
    const open = (): Promise<Opened> => SimulatedChain.open(chainId, ofChain, { spareCoins });
    const chain = await open();
    return [chainId, chain instanceof SimulatedChain ? chain : await open()] as const;
  });
  return new Map(await Promise.all(opening));
}

/**
 * Builds each once, in their order, whatever nodes do meanwhile: so the same seed asks for the same. Nodes execute what
 * was built just before.
 */
async function buildEach(
  session: Session,
  open: readonly Tried[],
  chains: ReadonlyMap<number, Opened>,
): Promise<void> {
  const nodes = createSideBySide(MOST_AT_ONCE);
  try {
    for (const tried of open) {
      const { chainId } = tried.candidate;
      const spent = session.nodes?.whySpent();
      const chain = spent === undefined ? chains.get(chainId) : { why: spent };
      // No quote grows old while a slow node executes an earlier build.
      if (chain instanceof SimulatedChain) await nodes.room(chainId, chain.atOnce);
      const why = chain instanceof SimulatedChain ? chain.whyLost() : chain?.why;
      const build = why === undefined ? await buildAnew(session, tried) : undefined;
      if (build === undefined || !(chain instanceof SimulatedChain)) {
        tried.why = why ?? UNFIT;
        tried.isOver = true;
        continue;
      }
      nodes.begin(chainId, () => execute(chain, tried, build));
    }
  } finally {
    await nodes.ended();
  }
}

/** Asks for a build that can be executed; undefined if there is none. */
async function buildAnew(session: Session, tried: Tried): Promise<SimulatedBuild | undefined> {
  const { candidate, forItself, fails } = tried;
  for (;;) {
    tried.number += 1;
    const gas = tried.asksForGas;
    // What fails may do so for prices that move, or for tokens that keep a part.
    const slippage = fails ? 'as served' : 'least';
    const asked = candidate.fresh({ gas, forItself, slippage });
    const group = groupOf(tried.request, tried.number);
    const relations = [{ kind: SIMULATED, group, role: BUILD_ROLE }];
    const exchange = await session.client.send({ ...asked, relations });
    const build = candidate.read(new View(exchange, session.contract)) ?? undefined;
    if (build !== undefined || !gas) return build;
    tried.asksForGas = false;
  }
}

/** Executes a build, and decides whether a further one of its request may decide something. */
async function execute(chain: SimulatedChain, tried: Tried, build: SimulatedBuild): Promise<void> {
  const came = await chain.simulate(build, groupOf(tried.request, tried.number));
  tried.why = came.why;
  if (came.attempt !== undefined) {
    tried.judged.push(judgedAttempt(came.attempt));
    tried.fails = outcomeOf(came.attempt).strict === 'failed';
  }
  const { judged } = tried;
  tried.isOver = came.attempt === undefined || judged.length >= MOST_ATTEMPTS || !isAnyOpen(judged);
}

/** Whether it is open of a promise whether what is wrong with builds of a request counts. */
function isAnyOpen(judged: readonly JudgedPromises[]): boolean {
  const promises = Object.keys(judged[0] ?? {}) as (keyof JudgedPromises)[];
  return promises.some((promise) =>
    isOpen(judged.flatMap(({ [promise]: one }): Said[] => (one === null ? [] : [one.said]))),
  );
}

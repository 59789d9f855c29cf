import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import type { RelationChecker } from '../../drive/relation-checker.ts';
import { changesBy } from '../../drive/relation.ts';
import type { PoolQuery } from '../relations/pools.ts';
import { poolLetterCase, poolLimit, poolsRequest } from '../relations/pools.ts';

/** A page of at most this many shows all pools of a narrow filter. */
const WHOLE = '200';

/** A page that is nearly as large, which rules on filters leave to the one on letter case. */
const ROOMY = '199';

/** Holds pool lists of different limits together; filters in combination have a cycle of their own. */
export async function drivePoolRelations(
  session: Session,
  checker: RelationChecker,
): Promise<void> {
  const pools = session.random.sample(session.world.routablePools, 3);
  const [first, second, third] = pools;
  if (first === undefined) return;
  const chainId = String(first.chainId);
  await compare(checker, { chainId }, '7');
  // The same filter without a limit, so that the default is compared with what there is.
  await sendValid(session, poolsRequest({ chainId }));
  await sendValid(session, poolsRequest({ chainId, limit: WHOLE }));
  if (second !== undefined) {
    const { protocol } = second;
    await compare(checker, { chainId: String(second.chainId), protocol }, '3');
  }
  const tokens = (third ?? first).tokens[0];
  if (tokens !== undefined) await compare(checker, { tokens }, '2');
  await compareCases(session, checker);
  const [token] = first.tokens;
  if (token === undefined) return;
  await compare(checker, { chainId, protocol: first.protocol, tokens: token }, '1');
}

/** This many lists are asked for with their tokens in other letter case. */
const RESPELT = 2;

/** Asks for tokens as the lists spell them, and in the letter case that all readers take (EIP-55). */
async function compareCases(session: Session, checker: RelationChecker): Promise<void> {
  const pools = session.random.sample(session.world.routablePools, 4 * RESPELT);
  const lists = pools.flatMap(({ tokens }, at) => {
    const [first, second] = tokens.filter(isEvmAddress);
    const text = at % 2 === 0 ? first : `${first ?? ''},${second ?? ''}`;
    if (text === undefined) return [];
    const query = { tokens: text, limit: ROOMY };
    const others = changesBy([poolLetterCase], query);
    return others.length === 0 ? [] : [{ query, others }];
  });
  for (const { query, others } of lists.slice(0, RESPELT)) {
    await checker.run(poolsRequest(query), others);
  }
}

async function compare(checker: RelationChecker, filter: PoolQuery, limit: string): Promise<void> {
  const first = poolsRequest({ ...filter, limit: WHOLE });
  await checker.run(first, changesBy([poolLimit], { filter, limit }));
}

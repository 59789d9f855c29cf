import { listOf, member } from '../../../contracts/wire/json.ts';
import { isNative } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { SIMULTANEOUS } from '../../../contracts/rules/simultaneous.ts';
import { addressKey } from '../../../contracts/wire/addresses.ts';
import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** This often two requests meet: what is mixed by chance is not mixed each time. */
const ROUNDS = 3;

/**
 * Sends two different zaps at the same moment, a few times: quotes, builds, and one of each.
 *
 * @param bodies zaps that were served
 */
export async function driveSimultaneousZaps(
  session: Session,
  bodies: readonly ZapBody[],
): Promise<void> {
  const plain = bodies.filter(
    ({ srcToken, destToken }) => !isNative(srcToken) && !isNative(destToken),
  );
  const paths = [
    ['/v1/quote', '/v1/quote'],
    ['/v1/buildTx', '/v1/buildTx'],
    ['/v1/quote', '/v1/buildTx'],
  ] as const;
  for (const [round, [one, other]] of paths.entries()) {
    const pair = pairOf(plain, round, ({ srcToken }) => srcToken);
    if (pair === undefined) return;
    const [first, second] = pair;
    const apart = { ...second, amount: otherAmount(first.amount, second.amount) };
    await sendTogether(session, [validPost(one, first), validPost(other, apart)]);
  }
}

/**
 * Sends two different builds at the same moment, a few times.
 *
 * @param bodies builds of one pair each that were served
 */
export async function driveSimultaneousTrades(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  const post = (json: TradeBody): TriedRequest => ({
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', json, purpose: { kind: 'valid' } },
    credential: session.keyedCredential,
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const pair = pairOf(bodies, round, ({ data }) => member(listOf(data)[0], 'srcToken'));
    if (pair === undefined) return;
    await sendTogether(session, [post(pair[0]), post(pair[1])]);
  }
}

/** An amount by which one request is distinguished from another: the same, or twice as much. */
function otherAmount(one: unknown, other: unknown): unknown {
  return one === other && isBaseUnits(other) ? String(2n * BigInt(other)) : other;
}

/** Two of the bodies, others in each round: from different tokens if there are such. */
function pairOf<Body>(
  bodies: readonly Body[],
  round: number,
  sourceOf: (body: Body) => unknown,
): [Body, Body] | undefined {
  const one = bodies[round % Math.max(1, bodies.length)];
  if (one === undefined) return undefined;
  const others = bodies.filter((body) => body !== one);
  const keyOf = (body: Body): string => addressKey(String(sourceOf(body)));
  const apart = others.filter((body) => keyOf(body) !== keyOf(one));
  const other = (apart.length > 0 ? apart : others).at(-1 - round) ?? others[0];
  return other === undefined ? undefined : [one, other];
}

async function sendTogether(
  session: Session,
  requests: readonly [TriedRequest, TriedRequest],
): Promise<void> {
  session.groupCount += 1;
  const group = `together-${session.groupCount}`;
  const sent = requests.map((request, index) => {
    const relations = [{ kind: SIMULTANEOUS, group, role: index === 0 ? 'one' : 'other' }];
    return session.client.send({ ...request, relations });
  });
  // Both are to end before anything else is sent, also if one of them may not be sent any more.
  for (const result of await Promise.allSettled(sent)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

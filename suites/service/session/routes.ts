import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Leg, Route } from '../../../fixtures/service/generators/routes.ts';
import {
  farLeg,
  legsOver,
  routeInto,
  routesOver,
  spread,
} from '../../../fixtures/service/generators/routes.ts';
import type { Session } from './session.ts';
import type { LearnedWorld, TokenAt } from './world.ts';

/** Ideas for routes of all kinds over the target's chains. */
export function routeIdeas(session: Session, perKind: number): Route[] {
  const { random, world } = session;
  const legs = spread(legsOver(random.sample(world.routablePools, world.routablePools.length)));
  const ideas =
    legs.length === 0
      ? nativeIdeas(session)
      : legs.flatMap((leg, index) => {
          const far = farLeg(legs, leg.chainId, index);
          return routesOver(leg, turned(session, leg), far && towardsMany(world, far, index));
        });
  const kinds = [...new Set(ideas.map(({ kind }) => kind))];
  // Each kind begins one pool further on, so that few routes span many chains and tokens.
  return kinds.flatMap((kind, turn) => {
    const ofKind = ideas.filter((idea) => idea.kind === kind);
    const first = turn % ofKind.length;
    return [...ofKind.slice(first), ...ofKind.slice(0, first)].slice(0, perKind);
  });
}

function nativeIdeas({ random, world }: Session): Route[] {
  const pools = world.pools.filter(({ address }) => isEvmAddress(address));
  return spread(random.sample(pools, pools.length)).map(routeInto);
}

/** In either order. */
function turned({ random }: Session, leg: Leg): Leg {
  const [second = leg.second, first = leg.first] = random.sample([leg.first, leg.second], 2);
  return { ...leg, first, second };
}

/**
 * A leg on another chain. Every other time its first token is the one of which the same worth is most
 * base units, whatever the pool lists first. Of a few units rounding hides what is wrong with them.
 */
function towardsMany(world: LearnedWorld, leg: Leg, index: number): Leg {
  if (index % 2 !== 0) return leg;
  let { first } = leg;
  for (const token of leg.tokens) {
    if (digitsPerUsd(world, token) > digitsPerUsd(world, first)) first = token;
  }
  return { ...leg, first };
}

/** How many digits a USD's worth of a token has in base units, about; as if worth one if unknown. */
function digitsPerUsd(world: LearnedWorld, token: TokenAt): number {
  return (world.decimalsOf(token) ?? 0) - Math.log10(world.priceOf(token) ?? 1);
}

/** What of the deliveries of a build is kept: the guarantee, and what was quoted. */

import type { Judgement } from '../../../judging/rule.ts';
import { isBroken, type Said } from './agreed.ts';
import type { Outcome, Run } from './attempt.ts';
import type { Delivery, SimulatedBuild } from './build.ts';
import { returnedDust } from './leftovers.ts';
import { othersWhoGot, received, ROUNDED, shortfallOf } from './whose-doing.ts';

/** Whether the guarantee arrives. */
export function deliveredLeast(build: SimulatedBuild, run: Run, outcome: Outcome): Said | null {
  const all = build.deliveries.map((delivery) => ({
    delivery,
    by: shortfallOf(run, outcome, build, delivery),
  }));
  const broken = all
    .filter(({ by }) => by === 'service')
    .map(({ delivery }) => ({
      pointer: delivery.leastAt,
      expected: `at least ${delivery.isPosition ? 'one position' : delivery.least} of ${delivery.token} for ${delivery.recipient}`,
      actual: `${delivery.isPosition ? 'one position' : delivery.least}, and ${arrivedWords(build, run, outcome, delivery)}`,
    }));
  if (broken.length > 0) return broken;
  if (all.some(({ by }) => by === 'later')) return 'inconclusive';
  return all.some(({ by }) => by === undefined) ? [] : null;
}

/** Who else got some are named, up to so many. */
const MOST_NAMED = 3;

function arrivedWords(
  build: SimulatedBuild,
  run: Run,
  outcome: Outcome,
  delivery: Delivery,
): string {
  const others = othersWhoGot(run, outcome, build, delivery);
  const named = others
    .slice(0, MOST_NAMED)
    .map(({ holder, amount }) => `; ${holder} got ${amount}`);
  const rest = others.length > MOST_NAMED ? `; ${others.length - MOST_NAMED} others got less` : '';
  return `${received(run, delivery)} arrived${named.join('')}${rest}`;
}

/** Whether what was quoted arrives, and guaranteed dust comes back: nothing says for whom that is. */
export function deliveredQuoted(build: SimulatedBuild, run: Run, outcome: Outcome): Judgement {
  const outputs = quotedOutputs(build, run, outcome);
  if (outputs === null || isBroken(outputs)) return outputs;
  const dust = returnedDust(build, run, outcome);
  return dust === null || dust === 'inconclusive' ? outputs : dust;
}

/** Between quote and execution prices move, though seldom by half of what is tolerated, and each time. */
function quotedOutputs(build: SimulatedBuild, run: Run, outcome: Outcome): Judgement {
  const judged = build.deliveries.filter((delivery) => {
    // What a position holds is not known.
    if (delivery.isPosition) return false;
    const by = shortfallOf(run, outcome, build, delivery);
    return by === undefined || (by !== 'service' && received(run, delivery) > 0n);
  });
  if (judged.length === 0) return null;
  return judged
    .filter((delivery) => received(run, delivery) + ROUNDED < leastExpected(delivery))
    .map((delivery) => ({
      pointer: delivery.quotedAt,
      expected: `at least ${leastExpected(delivery)} of ${delivery.token} for ${delivery.recipient}, the quoted amount less half of the slippage`,
      actual: `${delivery.quoted}, and ${arrivedWords(build, run, outcome, delivery)}`,
    }));
}

/** What was quoted, less half of what slippage tolerates. */
function leastExpected({ quoted, least }: Delivery): bigint {
  return quoted > least ? quoted - (quoted - least) / 2n : quoted;
}

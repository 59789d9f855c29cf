import fc from 'fast-check';
import { isObject } from '../../../contracts/wire/json.ts';
import type { RequestGenerator } from '../../../fixtures/arbitraries/request.ts';
import type { Lives } from '../../driven-service.ts';
import { sessionWith } from '../../drive/session.ts';
import { objectIn } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import type { JsonBody } from './commands.ts';
import { runCommands } from './index.ts';
import type { Commands, LifeCycleWorld } from './plan.ts';
import { keyCommands, poolCommands } from './plan.ts';

/** Commands of the first sequence; each is longer than the one before it, up to the longest. */
const SHORTEST = 14;
const LONGER_BY = 2;
const LONGEST = 40;
/** At most this many valid bodies of a generator are used. */
const MAX_BODIES = 6;

interface Cycle {
  readonly api: 'zap' | 'trade';
  readonly commandsOf: (world: LifeCycleWorld) => Commands;
}

/** In turn: about a key of one API, about one of the other, about filters. */
const CYCLES: readonly [Cycle, ...Cycle[]] = [
  { api: 'zap', commandsOf: (world) => keyCommands(world, 'zap') },
  { api: 'trade', commandsOf: (world) => keyCommands(world, 'trade') },
  { api: 'zap', commandsOf: (world) => poolCommands(world) },
];

function cycleOf(number: number): Cycle {
  return CYCLES[number % CYCLES.length] ?? CYCLES[0];
}

/** Sequences about keys and filters, longer and longer; each depends on its number alone. */
export function longerLives(session: Session, generators: readonly RequestGenerator[]): Lives {
  const world: LifeCycleWorld = {
    zapBodies: bodiesOf(generators, 'zap.build-tx'),
    tradeBodies: bodiesOf(generators, 'trade.build-tx'),
    pools: session.world.pools,
    quotesForm: session.world.quotesForm,
  };
  return {
    apiOf: (number) => cycleOf(number).api,
    run: async (number, random, seed) => {
      const longest = Math.min(SHORTEST + LONGER_BY * number, LONGEST);
      const cycle = cycleOf(number).commandsOf({ ...world, longest });
      const [commands = []] = fc.sample(cycle, { seed, numRuns: 1 });
      await runCommands(sessionWith(session, { random }), commands);
    },
  };
}

/** Bodies that the document obliges the service to take, the plain one first. */
function bodiesOf(generators: readonly RequestGenerator[], name: string): JsonBody[] {
  const generator = generators.find((one) => one.name === name);
  if (generator === undefined) return [];
  const bodies: JsonBody[] = [];
  for (const { body, purpose } of [generator.plain, ...(generator.boundaries ?? [])]) {
    if (bodies.length >= MAX_BODIES) break;
    const json = purpose.kind === 'valid' ? objectIn(body) : undefined;
    if (isObject(json)) bodies.push(json);
  }
  return bodies;
}

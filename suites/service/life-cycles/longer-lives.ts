import fc from 'fast-check';
import { isObject } from '../../../contracts/run/json.ts';
import { createRandom } from '../../drive/random.ts';
import type { Session } from '../../drive/session.ts';
import { sessionWith } from '../../drive/session.ts';
import type { CaseSender } from '../../properties/case-sender.ts';
import type { CaseStream } from '../../properties/cases.ts';
import { objectIn } from '../../properties/fields.ts';
import { hashOf } from '../../properties/hash.ts';
import type { JsonBody } from './commands.ts';
import { runCommands } from './index.ts';
import type { Commands, LifeCycleWorld } from './plan.ts';
import { keyCommands, poolCommands } from './plan.ts';

/** Commands of the first sequence; each is longer than the one before it, up to the longest. */
const SHORTEST = 14;
const LONGER_BY = 2;
const LONGEST = 40;
/** So many valid bodies of a generator are used. */
const MOST_BODIES = 6;

/** Sequences about keys and filters, longer and longer; each depends on its number alone. */
export class LongerLives {
  readonly #session: Session;
  readonly #sender: Pick<CaseSender, 'seed' | 'mark'>;
  readonly #world: LifeCycleWorld;

  constructor(session: Session, streams: readonly CaseStream[], sender: CaseSender) {
    this.#session = session;
    this.#sender = sender;
    this.#world = {
      zapBodies: bodiesOf(streams, 'zap.build-tx'),
      tradeBodies: bodiesOf(streams, 'trade.build-tx'),
      pools: session.world.pools,
      quotesForm: session.quotesForm,
    };
  }

  /** Runs the sequence of a number: about a key of one API, about one of the other, about filters. */
  async run(number: number): Promise<void> {
    const world = { ...this.#world, longest: Math.min(SHORTEST + LONGER_BY * number, LONGEST) };
    const cycles: (() => Commands)[] = [
      () => keyCommands(world, 'zap'),
      () => keyCommands(world, 'trade'),
      () => poolCommands(world),
    ];
    const apis = ['zap', 'trade', 'zap'] as const;
    const cycle = cycles[number % cycles.length];
    const api = apis[number % apis.length];
    if (cycle === undefined || api === undefined || !this.#session.apis.has(api)) return;
    const name = `${PREFIX}${number}`;
    const seed = hashOf(name) ^ this.#sender.seed;
    this.#sender.mark(name);
    const [commands = []] = fc.sample(cycle(), { seed, numRuns: 1 });
    await runCommands(sessionWith(this.#session, { random: createRandom(seed) }), commands);
  }

  /** Runs the sequence of a name. @returns whether it is the name of one */
  async replay(name: string): Promise<boolean> {
    if (!name.startsWith(PREFIX)) return false;
    await this.run(Number(name.slice(PREFIX.length)));
    return true;
  }
}

const PREFIX = 'life-cycle:';

/** Bodies that the document obliges the service to take, the plain one first. */
function bodiesOf(streams: readonly CaseStream[], name: string): JsonBody[] {
  const generator = streams.find((stream) => stream.generator.name === name)?.generator;
  if (generator === undefined) return [];
  const bodies: JsonBody[] = [];
  for (const { body, purpose } of [generator.plain, ...(generator.boundaries ?? [])]) {
    if (bodies.length >= MOST_BODIES) break;
    const json = purpose.kind === 'valid' ? objectIn(body) : undefined;
    if (isObject(json)) bodies.push(json);
  }
  return bodies;
}

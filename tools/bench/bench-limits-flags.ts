import { parseArgs } from 'node:util';
import { WILD_FAMILIES, type WildFamily } from '../limiters/real/wild/wild-limiter.ts';

/** What `npm run bench:limits` is to do. */
export interface BenchFlags {
  /** Words that a row must hold. */
  readonly only: string;
  readonly json: string | undefined;
  readonly seed: number;
  /** This many random services in place of the reference service and the limiters from npm. */
  readonly random: number | undefined;
  /** Real limiters of these families in place of them. */
  readonly wild: readonly WildFamily[] | undefined;
}

const USAGE = `usage: npm run bench:limits -- [--only WORDS] [--seed N] [--json FILE]
       npm run bench:limits -- --random COUNT [--seed N] [--json FILE]
       npm run bench:limits -- --wild [${WILD_FAMILIES.join(',')}] [--only WORDS] [--json FILE]`;

/** Thrown when the flags are none of these; the message ends with how they are used. */
export class WrongBenchFlags extends Error {
  override readonly name = 'WrongBenchFlags';
}

/**
 * Reads the flags.
 *
 * @throws {WrongBenchFlags}
 */
export function readBenchFlags(args: readonly string[]): BenchFlags {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        only: { type: 'string', default: '' },
        seed: { type: 'string', default: '1' },
        random: { type: 'string' },
        wild: { type: 'boolean', default: false },
      },
    });
    const { only, json, wild } = values;
    const seed = Number(values.seed);
    if (!Number.isSafeInteger(seed)) throw new Error(`--seed ${values.seed} is no whole number`);
    const random = values.random === undefined ? undefined : Number(values.random);
    if (random !== undefined && !(Number.isSafeInteger(random) && random > 0)) {
      throw new Error(`--random ${values.random ?? ''} is no number of services`);
    }
    if (wild && random !== undefined) throw new Error('--wild and --random are two runs');
    if (!wild && positionals.length > 0) throw new Error(`${positionals.join(' ')} means nothing`);
    return { only, json, seed, random, wild: wild ? familiesOf(positionals) : undefined };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongBenchFlags(`${reason}\n${USAGE}`);
  }
}

function familiesOf(positionals: readonly string[]): readonly WildFamily[] {
  const names = positionals.flatMap((text) => text.split(',')).filter((name) => name !== '');
  const families = names.map((name) => {
    const family = WILD_FAMILIES.find((one) => one === name);
    if (family === undefined) throw new Error(`${name} is none of ${WILD_FAMILIES.join(', ')}`);
    return family;
  });
  return families.length === 0 ? WILD_FAMILIES : families;
}

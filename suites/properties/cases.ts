import * as fc from 'fast-check';
import type { Choices, Choosable } from '../../fixtures/arbitraries/choices.ts';
import type {
  GeneratedRequest,
  RequestGenerator,
  RequestSpace,
} from '../../fixtures/arbitraries/request.ts';
import type { Random } from '../drive/random.ts';
import { createRandom } from '../drive/random.ts';
import { Coverage } from './coverage.ts';
import { hashOf } from './hash.ts';

/** A generated request and how it came about. */
export interface Case {
  /** Generator and number, e.g. `zap.quote:17`; of one near another also which, `zap.quote:17~2`. */
  readonly name: string;
  readonly request: GeneratedRequest;
  /** What was chosen; absent if the generator has nothing to choose. */
  readonly choices?: Choices;
  readonly defect?: string;
}

/** Candidates, of which the one with the most new combinations is taken. */
const CANDIDATES = 8;
/** At most this many things differ from the plain request. */
const MAX_DEVIATIONS = 5;
/** One case in this many has choices that a service may have a reason to refuse. */
const UNUSUAL_EVERY = 6;
const LARGEST_CHOICE = 0x7fff_ffff;

/**
 * The cases of a generator, without end: first its boundaries and others by the seed in turn, then
 * whatever has the most combinations of features that no case before it had. Each is made when it is
 * asked for, and depends on nothing but the generator, the seed and its number: not on answers, so
 * that one can be made again without sending those before it.
 */
export class CaseStream {
  readonly generator: RequestGenerator;
  readonly coverage: Coverage = new Coverage();
  /** How many cases are boundaries and others by the seed in turn. */
  readonly firstCases: number;
  readonly #seed: number;
  readonly #first: readonly GeneratedRequest[];
  readonly #made = new Set<number>();
  #next = 0;
  #last: Case | undefined;

  constructor(generator: RequestGenerator, seed: number, firstCases: number) {
    this.generator = generator;
    this.#seed = seed;
    this.firstCases = firstCases;
    this.#first = mixedCases(generator, seed, firstCases);
  }

  /**
   * The case of a number, none below the last one asked for.
   *
   * @returns undefined if nothing was found that is not the same as a case before it
   */
  at(number: number): Case | undefined {
    while (this.#next <= number) {
      this.#last = this.#make(this.#next);
      this.#next += 1;
    }
    return this.#last;
  }

  /** Another case near one of this generator, the same for the same number; undefined if none is. */
  near(origin: Case, number: number): Case | undefined {
    const { space, name: generator } = this.generator;
    if (space === undefined || origin.choices === undefined) return undefined;
    const name = `${origin.name}~${number}`;
    const random = createRandom(hashOf(`${generator} ${name}`) ^ this.#seed);
    const choices = changed(space.deviations, origin.choices, number, random);
    return this.#caseOf(space, name, choices, origin.defect);
  }

  /** Says that a case is sent, which nothing equal is to follow. @returns whether it is the first */
  isFirst({ request }: Case): boolean {
    const bytes = digestOf(request);
    if (this.#made.has(bytes)) return false;
    this.#made.add(bytes);
    return true;
  }

  #make(number: number): Case | undefined {
    const { space, name: generator } = this.generator;
    const name = `${generator}:${number}`;
    const first = this.#first[number];
    if (first !== undefined) {
      const one = { name, request: first, ...chosenOf(space, first) };
      this.isFirst(one);
      this.#cover(space, one);
      return one;
    }
    const random = createRandom(hashOf(name) ^ this.#seed);
    if (space === undefined) return this.#sampled(name, random);
    const usual = number % UNUSUAL_EVERY !== 0;
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const choices = drawn(space.deviations, usual, random);
      const defect = random.pick(space.defects ?? []);
      const features = this.coverage.featuresOf(space.deviations, choices, defect);
      const { single, pairs, triples } = this.coverage.newIn(features);
      return { choices, defect, score: 1_000 * single + 30 * pairs + triples };
    }).sort((a, b) => b.score - a.score);
    for (const { choices, defect } of candidates) {
      const one = this.#caseOf(space, name, choices, defect);
      if (!this.isFirst(one)) continue;
      this.#cover(space, one);
      return one;
    }
    return undefined;
  }

  #sampled(name: string, random: Random): Case | undefined {
    const seed = random.integer(0, LARGEST_CHOICE);
    const [request] = fc.sample(this.generator.arbitrary, { seed, numRuns: 1 });
    const one = request && { name, request };
    return one !== undefined && this.isFirst(one) ? one : undefined;
  }

  #caseOf(space: RequestSpace, name: string, choices: Choices, defect: string | undefined): Case {
    const request = space.requestOf(choices, defect);
    return { name, request, choices, ...(defect === undefined ? {} : { defect }) };
  }

  #cover(space: RequestSpace | undefined, { choices, defect }: Case): void {
    if (space === undefined || choices === undefined) return;
    this.coverage.add(this.coverage.featuresOf(space.deviations, choices, defect));
  }
}

/** The first cases of a generator: its boundaries and others by the seed in turn, then more of the others. */
function mixedCases(generator: RequestGenerator, seed: number, count: number): GeneratedRequest[] {
  const { boundaries = [], arbitrary, name } = generator;
  const numRuns = count - Math.min(boundaries.length, Math.floor(count / 2));
  const others = fc.sample(arbitrary, { seed: hashOf(name) ^ seed, numRuns });
  // Each seed begins with other boundaries.
  const first = Math.abs(hashOf(name) ^ seed);
  const mixed: GeneratedRequest[] = [];
  for (const [index, other] of others.entries()) {
    const boundary = boundaries[(first + index) % boundaries.length];
    if (index < boundaries.length && boundary !== undefined) mixed.push(boundary);
    mixed.push(other);
    if (mixed.length >= count) break;
  }
  return mixed.slice(0, count);
}

/** What a request says that was chosen of it, its defect apart. */
function chosenOf(
  space: RequestSpace | undefined,
  { deviations }: GeneratedRequest,
): Pick<Case, 'choices' | 'defect'> {
  if (space === undefined || deviations === undefined) return {};
  const isDefect = (name: string): boolean => space.defects?.includes(name) === true;
  const defect = Object.keys(deviations).find(isDefect);
  const choices = Object.fromEntries(
    Object.entries(deviations).filter(([name]) => !isDefect(name)),
  );
  return { choices, ...(defect === undefined ? {} : { defect }) };
}

/** One to five deviations; usual ones if no service is to have a reason to refuse the request. */
function drawn(deviations: readonly Choosable[], usual: boolean, random: Random): Choices {
  const among = usual ? deviations.filter((one) => one.usual > 0 || one.open === true) : deviations;
  // Those with much to show are twice as likely to be drawn.
  const urn = among.flatMap((one) => (one.often === true ? [one, one] : [one]));
  const chosen = new Set(random.sample(urn, random.integer(1, MAX_DEVIATIONS)));
  // In the order of the list, so that equal choices are equal whatever the order of drawing.
  const entries = among
    .filter((one) => chosen.has(one))
    .map((one): [string, number] => [one.name, choiceOf(one, usual, random)]);
  return Object.fromEntries(entries);
}

function choiceOf({ listed, usual, open }: Choosable, isUsual: boolean, random: Random): number {
  const most = isUsual ? usual : listed;
  const beyond = open === true && (most === 0 || random.integer(0, 1) === 1);
  return beyond ? random.integer(listed, LARGEST_CHOICE) : random.integer(0, most - 1);
}

/** Choices that differ from others in one thing. */
function changed(
  deviations: readonly Choosable[],
  choices: Choices,
  number: number,
  random: Random,
): Choices {
  const there = deviations.filter(({ name }) => choices[name] !== undefined);
  const absent = deviations.filter(({ name }) => choices[name] === undefined);
  const one = random.pick(there);
  const kind = number % 3;
  if (kind === 0 || one === undefined) {
    const more = random.pick(absent.length > 0 ? absent : there);
    return more === undefined ? choices : { ...choices, [more.name]: choiceOf(more, true, random) };
  }
  const { [one.name]: choice = 0, ...others } = choices;
  if (kind === 1 && there.length > 1) return others;
  const isBeyond = choice >= one.listed;
  const next = isBeyond ? random.integer(one.listed, LARGEST_CHOICE) : (choice + 1) % one.listed;
  return { ...choices, [one.name]: next };
}

/** A number that distinguishes requests by their bytes; two in billions may share one. */
function digestOf({ method, path, headers = [], body = '' }: GeneratedRequest): number {
  return hashOf(`${method} ${path} ${JSON.stringify(headers)} ${body}`);
}

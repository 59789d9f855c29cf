import { foldedPlace } from '../../wire/places.ts';
import type { RecordedRequest } from '../../wire/exchange.ts';
import type { Broken, Witness } from '../rule.ts';
import type { Pieces, Rate } from './pieces.ts';

/** One broken rule at one operation and one place of the response, however often it was seen. */
export interface Finding {
  readonly rule: string;
  /** Of the contract, which the first request to show it addressed; absent of others. */
  readonly operation?: string;
  /** Where it was first seen; array positions and numeric keys may differ in later ones. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** At how many places of answers it was seen in the run. */
  readonly count: number;
  /** Ids of the first exchanges that show it. */
  readonly exchanges: readonly string[];
  /** The first request that shows it. */
  readonly request: RecordedRequest;
  /** How often its requests showed it; absent if that is not known, and of what only an outage showed. */
  readonly rate?: Rate;
  /** The same, of all comparable requests that its rule judged; absent likewise. */
  readonly share?: Rate;
  /** Of the last of an operation: how often its rule was broken there at places that are not listed; absent of none. */
  readonly further?: number;
  /** Whether it was seen during an outage alone; absent of others. */
  readonly isOfOutage?: true;
  /** Why it is accepted, by whom and until when, where not all findings of its rule are. */
  readonly waived?: string;
}

const WITNESSES_KEPT = 5;
/** At most this many places are kept of a rule at one operation; how often it was broken at others is counted. */
export const MAX_PLACES = 200;
/** More pieces of evidence are not remembered. */
const MAX_PIECES = 2_000;
/** More of a text is not kept in a finding. */
const MAX_CHARACTERS = 2_000;

/** What is known of one broken place. */
interface Place {
  readonly first: Broken;
  readonly witnesses: Witness[];
  count: number;
  /** The first pieces of evidence that show it. */
  readonly pieces: number[];
  areAllPieces: boolean;
}

/** What is broken at one operation. */
interface BrokenOperation {
  readonly places: Map<string, Place>;
  /** How often the rule was broken there at places that are not kept. */
  elsewhere: number;
}

/** Of which operations findings are, and how many are kept. */
export interface BrokenPlacesOptions {
  /** Of one operation. */
  readonly mostPlaces?: number;
  /** The id of the operation that a request addresses; if absent, all is of one. */
  readonly operationOf?: (request: RecordedRequest) => string | undefined;
}

/** Where one rule is broken: by operation and place, however often. */
export class BrokenPlaces {
  readonly #operations = new Map<string | undefined, BrokenOperation>();
  readonly #options: BrokenPlacesOptions;

  constructor(options: BrokenPlacesOptions = {}) {
    this.#options = options;
  }

  /** Takes what is broken in one exchange or group, by the number of the piece; its operation is that of the first. */
  note(broken: readonly Broken[], witnesses: readonly Witness[], piece?: number): void {
    const first = witnesses[0]?.request;
    const operation = first === undefined ? undefined : this.#options.operationOf?.(first);
    const known = this.#operations.get(operation) ?? { places: new Map(), elsewhere: 0 };
    this.#operations.set(operation, known);
    const { mostPlaces = MAX_PLACES } = this.#options;
    for (const one of broken) noteAt(known, one, witnesses, { mostPlaces, piece });
  }

  /** One for each operation and place; the last of an operation counts those that are not kept. */
  findings(rule: string, pieces?: Pieces): Finding[] {
    return [...this.#operations].flatMap(([operation, { places, elsewhere }]) => {
      const findings = [...places.values()].flatMap((place): Finding[] => {
        const { first, count, witnesses } = place;
        const request = witnesses[0]?.request;
        if (request === undefined) return [];
        // A group may name one exchange for several of its parts.
        const exchanges = [...new Set(witnesses.map(({ id }) => id))];
        const of = operation === undefined ? {} : { operation };
        const known = pieces === undefined ? {} : knownOf(place, pieces);
        return [{ rule, ...of, ...first, count, exchanges, request, ...known }];
      });
      const last = findings.pop();
      if (last === undefined) return [];
      if (elsewhere === 0) return [...findings, last];
      const actual = `${last.actual} (and ${elsewhere} more at further places, which are not listed)`;
      return [...findings, { ...last, actual, further: elsewhere }];
    });
  }
}

function knownOf({ pieces: broken, areAllPieces }: Place, pieces: Pieces): Partial<Finding> {
  const rates = pieces.ratesOf(broken, areAllPieces);
  if (rates !== undefined) return rates;
  return broken.length > 0 && areAllPieces ? { isOfOutage: true } : {};
}

interface Noting {
  readonly mostPlaces: number;
  readonly piece: number | undefined;
}

function noteAt(
  at: BrokenOperation,
  one: Broken,
  witnesses: readonly Witness[],
  { mostPlaces, piece }: Noting,
): void {
  const place = foldedPlace(one.pointer);
  const times = one.times ?? 1;
  const known = at.places.get(place);
  if (known === undefined) {
    if (at.places.size >= mostPlaces) at.elsewhere += times;
    else {
      const pieces = piece === undefined ? [] : [piece];
      const of = { first: shortened(one), count: times, witnesses: [...witnesses] };
      at.places.set(place, { ...of, pieces, areAllPieces: true });
    }
    return;
  }
  known.count += times;
  if (piece !== undefined && known.pieces.at(-1) !== piece) {
    if (known.pieces.length < MAX_PIECES) known.pieces.push(piece);
    else known.areAllPieces = false;
  }
  for (const witness of witnesses) {
    if (known.witnesses.length >= WITNESSES_KEPT) break;
    if (!known.witnesses.some(({ id }) => id === witness.id)) known.witnesses.push(witness);
  }
}

function shortened({ pointer, expected, actual }: Broken): Broken {
  return { pointer: short(pointer), expected: short(expected), actual: short(actual) };
}

/** Copied where it is cut, since a slice would keep the whole text in memory. */
function short(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${Buffer.from(text.slice(0, MAX_CHARACTERS)).toString()}…`;
}

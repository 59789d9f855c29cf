import type { Observer } from './ledger.ts';
import type { Answer } from './rule.ts';
import type { ContractOperation } from '../document/schema.ts';
import type { Sighting } from './sighting.ts';
import type { Accumulator } from './accumulator.ts';
import { type ApiName, NODE_API } from '../wire/exchange.ts';

/** What may come of a request. */
export type AnswerKind = 'success' | 'error' | 'throttled' | 'failed';

/** Who looks at the exchanges of one operation with one kind of answer. */
export interface Dispatch {
  readonly accumulators: readonly Accumulator[];
  /** By the kind of relation, those that look only at exchanges that are marked with it. */
  readonly related: ReadonlyMap<string, readonly Accumulator[]>;
  readonly sightings: readonly Sighting[];
}

/** Which kinds an answer that a rule names stands for. */
const KINDS: Readonly<Record<Answer, readonly AnswerKind[]>> = {
  success: ['success'],
  error: ['error'],
  throttled: ['throttled'],
  answered: ['success', 'error'],
  any: ['success', 'error', 'failed'],
  responded: ['success', 'error', 'throttled'],
};

/** What an exchange addressed, and what came of it. */
interface Place {
  readonly api: ApiName;
  readonly operation: string | undefined;
  readonly kind: AnswerKind;
}

/** Finds who looks at an exchange; each row is made when it is first needed. */
export class DispatchTable {
  /** By operation id; under the name of an API those that speak of all that is below it. */
  readonly #talliesByPlace = new Map<string, Accumulator[]>();
  readonly #sightings: readonly Sighting[];
  /** By the id of an operation, or by API for what addresses none. */
  readonly #rows: Readonly<Record<AnswerKind, Map<string, Dispatch>>> = {
    success: new Map(),
    error: new Map(),
    throttled: new Map(),
    failed: new Map(),
  };

  constructor(accumulators: readonly Accumulator[], sightings: readonly Sighting[]) {
    this.#sightings = sightings;
    for (const accumulator of accumulators) {
      const { api, besides = [], operations } = accumulator.rule;
      const nodes = besides.filter(isNode);
      for (const place of operations === '*'
        ? [api, ...besides]
        : [...new Set(operations), ...nodes]) {
        const there = this.#talliesByPlace.get(place);
        if (there === undefined) this.#talliesByPlace.set(place, [accumulator]);
        else there.push(accumulator);
      }
    }
  }

  /** @param operation what the request addressed, if the contract has it */
  of(api: ApiName, operation: ContractOperation | undefined, kind: AnswerKind): Dispatch {
    const rows = this.#rows[kind];
    const place = operation?.id ?? api;
    let row = rows.get(place);
    if (row === undefined) {
      row = this.#newRow({ api, operation: operation?.id, kind });
      rows.set(place, row);
    }
    return row;
  }

  #newRow(place: Place): Dispatch {
    const accumulators: Accumulator[] = [];
    const related = new Map<string, Accumulator[]>();
    const ofApi = this.#talliesByPlace.get(place.api) ?? [];
    const ofOperation = this.#talliesByPlace.get(place.operation ?? '') ?? [];
    for (const accumulator of [...ofApi, ...ofOperation]) {
      if (!speaksOf(accumulator.rule, place)) continue;
      const { relation } = accumulator.rule;
      if (relation === undefined) accumulators.push(accumulator);
      else related.set(relation, [...(related.get(relation) ?? []), accumulator]);
    }
    const sightings = this.#sightings.filter(({ observer }) => speaksOf(observer, place));
    return { accumulators, related, sightings };
  }
}

type Spoken = Pick<Observer, 'api' | 'operations' | 'answer'> & {
  readonly besides?: readonly ApiName[];
};

/** Whether a rule or observer speaks of an operation of an API, and of a kind of answer. */
function speaksOf({ api, besides, operations, answer }: Spoken, place: Place): boolean {
  if (api !== place.api && besides?.includes(place.api) !== true) return false;
  if (!KINDS[answer].includes(place.kind)) return false;
  return (
    operations === '*' ||
    isNode(place.api) ||
    (place.operation !== undefined && operations.includes(place.operation))
  );
}

/** What is asked of a node is no operation of any document. */
function isNode(api: ApiName): boolean {
  return api === NODE_API;
}

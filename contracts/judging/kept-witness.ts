import type { PackedList } from './packed-list.ts';
import type { Witness } from './rule.ts';
import type { RecordedRequest } from '../wire/exchange.ts';

/** An exchange by its id, whose request is looked up only when it is to be shown. */
export class KeptWitness implements Witness {
  readonly id: string;
  readonly replaced: string | undefined;
  readonly #requests: PackedList<RecordedRequest>;
  readonly #place: number;

  constructor(id: string, requests: PackedList<RecordedRequest>, place: number, replaced?: string) {
    this.id = id;
    this.replaced = replaced;
    this.#requests = requests;
    this.#place = place;
  }

  get at(): number {
    return this.#place;
  }

  get request(): RecordedRequest {
    const found = this.#requests.at(this.#place);
    if (found === undefined) throw new Error(`the request of ${this.id} was not kept`);
    return found;
  }
}

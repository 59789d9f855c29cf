import {
  FILTER_RELATIONS,
  filterStateOf,
} from '../../../contracts/service/rules/pools/pool-filters.ts';
import type {
  FilteredPools,
  PoolFilters,
} from '../../../contracts/service/rules/pools/filtered-pools.ts';
import {
  filteredPoolsOf,
  isNarrower,
  WHOLE_PAGE,
} from '../../../contracts/service/rules/pools/filtered-pools.ts';
import { MIN_CERTAIN_ANSWERS } from '../../../contracts/rules/relation-rule.ts';
import { View } from '../../../contracts/judging/view.ts';
import type { Session } from '../session/session.ts';
import { ALTERNATION } from '../../drive/relation-checker.ts';
import type { PoolCommand } from './commands.ts';

/** The lists that some filters gave. */
interface Asked {
  readonly filters: PoolFilters;
  readonly lists: FilteredPools[];
}

/** At most this many pairs of lists are asked for again to be certain of a relation. */
const MAX_REPEATED = 3;

/** Runs commands about pool filters; lists that contradict each other are asked for again. */
export class PoolWalk {
  readonly #session: Session;
  readonly #asked = new Map<string, Asked>();
  readonly #broken = new Set<string>();
  readonly #repeated = new Map<string, number>();
  #filters: PoolFilters = {};

  constructor(session: Session) {
    this.#session = session;
  }

  async run(command: PoolCommand): Promise<void> {
    if (this.#asked.size === 0) await this.#begin();
    const { [command.filter]: held, ...others } = this.#filters;
    const value = command.act === 'add' ? command.value : undefined;
    if (held === value) return;
    this.#filters = value === undefined ? others : { ...others, [command.filter]: value };
    const asked = this.#at(this.#filters);
    await this.#list(asked);
    for (const other of [...this.#asked.values()]) {
      if (isNarrower(other.filters, asked.filters)) await this.#settle(other, asked);
      if (isNarrower(asked.filters, other.filters)) await this.#settle(asked, other);
    }
  }

  /** Compares the lists that the run has already with each other, and those to come with them. */
  async #begin(): Promise<void> {
    for (const list of this.#session.world.poolLists) this.#at(list.filters).lists.push(list);
    const known = [...this.#asked.values()];
    for (const wide of known) {
      for (const narrow of known) {
        if (isNarrower(wide.filters, narrow.filters)) await this.#settle(wide, narrow);
      }
    }
  }

  #at(filters: PoolFilters): Asked {
    const { chainId, protocol, tokens } = filters;
    const key = JSON.stringify([chainId, protocol, tokens]);
    const asked = this.#asked.get(key) ?? { filters, lists: [] };
    this.#asked.set(key, asked);
    return asked;
  }

  async #settle(wide: Asked, narrow: Asked): Promise<void> {
    for (const relation of FILTER_RELATIONS) {
      const isSuspect = (): boolean =>
        filterStateOf(relation, wide.lists, narrow.lists).kind === 'suspect';
      const repeated = this.#repeated.get(relation.id) ?? 0;
      if (this.#broken.has(relation.id) || repeated >= MAX_REPEATED || !isSuspect()) continue;
      this.#repeated.set(relation.id, repeated + 1);
      for (const role of ALTERNATION.slice(0, 2 * MIN_CERTAIN_ANSWERS)) {
        if (!isSuspect()) break;
        await this.#list(role === 'A' ? wide : narrow);
      }
      const { kind } = filterStateOf(relation, wide.lists, narrow.lists);
      if (kind === 'broken') this.#broken.add(relation.id);
    }
  }

  async #list({ filters, lists }: Asked): Promise<void> {
    const names = Object.keys(filters).sort();
    const group = names.length === 0 ? 'no filter' : names.join(' and ');
    const query = new URLSearchParams({ ...filters, limit: String(WHOLE_PAGE) });
    const path = `/v1/pools?${query.toString()}`;
    const exchange = await this.#session.client.send({
      ...{ api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } },
      relations: [{ kind: 'pool-filters', group, role: 'list' }],
    });
    const view = new View(exchange, this.#session.contract);
    const list = view.succeeded ? filteredPoolsOf(view) : null;
    if (list !== null) lists.push(list);
  }
}

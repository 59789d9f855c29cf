import type { Exchange } from '../../contracts/wire/exchange.ts';

/** The id in the record of a merged run of an exchange of one of its parts. */
export function partId(index: number, id: string): string {
  return `p${index}-${id}`;
}

/**
 * An exchange of a part as the merged run has it: with an id of its own, and in groups of its own, since
 * each part numbered its clients and pairs from the first.
 */
export function ofPart(index: number, exchange: Exchange): Exchange {
  return {
    ...exchange,
    id: partId(index, exchange.id),
    relations: exchange.relations.map((one) => ({ ...one, group: partId(index, one.group) })),
  };
}

/** The exchanges of one part, in the order of its record. */
export interface PartStream {
  /** From 1. */
  readonly index: number;
  readonly exchanges: AsyncIterable<Exchange>;
}

/**
 * The exchanges of all parts, those first that ended first, as one machine would have recorded them: rules
 * ask what was seen before. The order within a part stays as it is. One exchange of each is held at a time.
 */
export async function* inOrderOfTime(parts: readonly PartStream[]): AsyncGenerator<Exchange> {
  const open = parts.map(({ index, exchanges }) => ({
    index,
    iterator: exchanges[Symbol.asyncIterator](),
  }));
  const next = async (of: (typeof open)[number]): Promise<Head | undefined> => {
    const result = await of.iterator.next();
    return result.done === true ? undefined : { ...of, exchange: result.value };
  };
  try {
    const heads: Head[] = [];
    for (const one of open) insert(heads, await next(one));
    for (let first = heads.shift(); first !== undefined; first = heads.shift()) {
      yield ofPart(first.index, first.exchange);
      insert(heads, await next(first));
    }
  } finally {
    for (const { iterator } of open) await iterator.return?.();
  }
}

interface Head {
  readonly index: number;
  readonly iterator: AsyncIterator<Exchange>;
  readonly exchange: Exchange;
}

function endMs({ exchange }: Head): number {
  return exchange.sentAtMs + exchange.latencyMs;
}

/** Puts a head at its place, behind those that ended at the same time. */
function insert(heads: Head[], head: Head | undefined): void {
  if (head === undefined) return;
  let [from, to] = [0, heads.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = heads[middle];
    if (other !== undefined && endMs(other) <= endMs(head)) from = middle + 1;
    else to = middle;
  }
  heads.splice(from, 0, head);
}

import type { Exchange } from '../../contracts/wire/exchange.ts';
import { inOrder } from './in-order.ts';

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
  const streams = parts.map(({ exchanges }) => exchanges);
  for await (const { at, item } of inOrder(streams, endMs)) {
    yield ofPart(parts[at]?.index ?? 0, item);
  }
}

function endMs({ sentAtMs, latencyMs }: Exchange): number {
  return sentAtMs + latencyMs;
}

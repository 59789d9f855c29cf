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

/**
 * The exchanges of all parts, those first that ended first, as one machine would have recorded them: rules
 * ask what was seen before. The order within a part stays as it is. One exchange of each is held at a time.
 *
 * @param parts by their index, from 1, each with the exchanges of its record in their order
 */
export async function* inOrderOfTime(
  parts: readonly { readonly index: number; readonly exchanges: AsyncIterable<Exchange> }[],
): AsyncGenerator<Exchange> {
  const streams = parts.map(({ exchanges }) => exchanges);
  for await (const { at, item } of inOrder(streams, (one) => one.sentAtMs + one.latencyMs)) {
    yield ofPart(parts[at]?.index ?? 0, item);
  }
}

/** An item of one of several streams, and what gives the next one. */
export interface Head<T> {
  /** Place of its stream among them. */
  readonly at: number;
  readonly item: T;
  readonly iterator: AsyncIterator<T>;
}

/**
 * The items of several streams as one, the least first, if each has its own in order; one that has not
 * keeps the order that it has. Of each stream one item is held at a time.
 *
 * @param keyOf what items are ordered by, e.g. a time
 */
export async function* inOrder<T>(
  streams: readonly AsyncIterable<T>[],
  keyOf: (item: T) => number,
): AsyncGenerator<Head<T>> {
  const open = streams.map((stream, at) => ({ at, iterator: stream[Symbol.asyncIterator]() }));
  const next = async (stream: (typeof open)[number]): Promise<Head<T> | undefined> => {
    const result = await stream.iterator.next();
    return result.done === true ? undefined : { ...stream, item: result.value };
  };
  try {
    const heads: Head<T>[] = [];
    for (const one of open) insert(heads, await next(one), keyOf);
    for (let first = heads.shift(); first !== undefined; first = heads.shift()) {
      yield first;
      insert(heads, await next(first), keyOf);
    }
  } finally {
    for (const { iterator } of open) await iterator.return?.();
  }
}

/** Puts a head at its place, behind those of the same key. */
function insert<T>(heads: Head<T>[], head: Head<T> | undefined, keyOf: (item: T) => number): void {
  if (head === undefined) return;
  const key = keyOf(head.item);
  heads.splice(heads.findLastIndex(({ item }) => keyOf(item) <= key) + 1, 0, head);
}

/** Work under way at once. */
export interface SideBySide {
  /** Resolves once less is under way, and less on a chain than so much; rejects if some work failed. */
  room(chainId: number, most: number): Promise<void>;
  /** Begins work, for which there is room. */
  begin(chainId: number, work: () => Promise<void>): void;
  /** Resolves once all has ended; rejects with the first failure. */
  ended(): Promise<void>;
}

/** @param most pieces of work at once */
export function createSideBySide(most: number): SideBySide {
  const underWay = new Map<Promise<unknown>, number>();
  const failures: unknown[] = [];
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    async room(chainId, mostOfChain) {
      const ofChain = (): number => [...underWay.values()].filter((id) => id === chainId).length;
      while (underWay.size >= most || ofChain() >= mostOfChain) await Promise.race(underWay.keys());
      throwFailure();
    },
    begin(chainId, work) {
      const ended = work()
        .catch((error: unknown) => failures.push(error))
        .finally(() => underWay.delete(ended));
      underWay.set(ended, chainId);
    },
    async ended() {
      await Promise.all(underWay.keys());
      throwFailure();
    },
  };
}

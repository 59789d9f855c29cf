/** What is not known of the builds of a chain, in sentences for the report. */

/** What became of one candidate. */
export interface Simulated {
  readonly wasSimulated: boolean;
  /** Whether something was wrong with fewer than two of its builds. */
  readonly isDismissed?: boolean;
  /** Whether it was executed, and fails. */
  readonly fails?: boolean;
  /** Why it was not simulated, or says less than it might: a clause. */
  readonly why?: string;
}

/** Collects what is left out of an API. */
export interface Omissions {
  readonly note: (chainId: number, came: Simulated) => void;
  /** A chain whose node is named, and of which there was nothing to simulate. */
  readonly named: (chainId: number, why: string) => void;
  readonly sentences: () => string[];
}

/** @param api whose builds they are */
export function createOmissions(api: string): Omissions {
  const simulated = new Set<number>();
  const left = new Map<
    string,
    { readonly chainId: number; readonly why: string; readonly fails: boolean; builds: number }
  >();
  const dismissed = new Map<number, number>();
  const named: string[] = [];
  return {
    note(chainId, { wasSimulated, isDismissed = false, fails = false, why }) {
      if (wasSimulated) simulated.add(chainId);
      if (isDismissed) dismissed.set(chainId, (dismissed.get(chainId) ?? 0) + 1);
      if (why === undefined) return;
      const key = `${chainId} ${fails} ${why}`;
      const { builds = 0 } = left.get(key) ?? {};
      left.set(key, { chainId, why, fails, builds: builds + 1 });
    },
    named(chainId, why) {
      named.push(
        `No ${api} build on chain ${chainId}, whose node is named, was simulated: ${why}.`,
      );
    },
    sentences: () => [
      ...named,
      ...[...left.values()].map(({ chainId, why, fails, builds }) => {
        if (fails)
          return `On chain ${chainId} executed ${api} builds fail, and whose doing it is remains open: ${why} (${builds}).`;
        const which = simulated.has(chainId) ? `Not all ${api} builds` : `No ${api} build`;
        const verb = simulated.has(chainId) ? 'were simulated to the end' : 'was simulated';
        return `${which} on chain ${chainId} ${verb}: ${why} (${builds}).`;
      }),
      ...[...dismissed].map(
        ([chainId, builds]) =>
          `On chain ${chainId} fewer than two builds of the same ${api} request broke a promise, so that it does not count (${builds}).`,
      ),
    ],
  };
}

/** What is not known of the builds of an API, in sentences for the report. */

import { agreedOver, isBroken, isOpen } from '../../../contracts/service/rules/simulated/agreed.ts';
import type {
  JudgedPromises,
  SimulatedPromise,
} from '../../../contracts/service/rules/simulated/promises.ts';

/** Who got what was to arrive is another in each build; the first is named. */
const HOLDER = /0x[0-9a-f]{40}(?= got some)/;

/** What became of one request. */
export interface Simulated {
  readonly chainId: number;
  /** What its builds say that were executed. */
  readonly judged: readonly JudgedPromises[];
  /** Whether the last was executed, and fails. */
  readonly fails: boolean;
  /** Why it was not simulated, or says less than it might: a clause. */
  readonly why: string | undefined;
}

/** Collects what is left out of an API. */
export interface Omissions {
  readonly note: (came: Simulated) => void;
  /** A chain whose node is named, and of which there was nothing to simulate. */
  readonly named: (chainId: number, why: string) => void;
  readonly sentences: () => string[];
}

/** @param api whose builds they are */
export function createOmissions(api: string): Omissions {
  const all: Simulated[] = [];
  const named: string[] = [];
  return {
    note: (came) => all.push(came),
    named(chainId, why) {
      named.push(
        `No ${api} build on chain ${chainId}, whose node is named, was simulated: ${why}.`,
      );
    },
    sentences: () => {
      const simulated = new Set(
        all.filter(({ judged }) => judged.length > 0).map(({ chainId }) => chainId),
      );
      const left = countedBy(all, ({ chainId, fails, why }) =>
        why === undefined ? undefined : [chainId, fails, why.replace(HOLDER, '')],
      );
      return [
        ...named,
        ...left.map(([[{ chainId, fails, why = '' }], builds]) => {
          if (fails)
            return `On chain ${chainId} executed ${api} builds fail, and whose doing it is remains open: ${why} (${builds}).`;
          const which = simulated.has(chainId) ? `Not all ${api} builds` : `No ${api} build`;
          const verb = simulated.has(chainId) ? 'were simulated to the end' : 'was simulated';
          return `${which} on chain ${chainId} ${verb}: ${why} (${builds}).`;
        }),
        ...dismissedIn(api, all),
      ];
    },
  };
}

/** How many there are of each kind, with the first of it. */
function countedBy<T>(
  all: readonly T[],
  kindOf: (one: T) => unknown,
): (readonly [first: readonly [T], count: number])[] {
  const kinds = new Map<string, T[]>();
  for (const one of all) {
    const kind = kindOf(one);
    if (kind === undefined) continue;
    const key = JSON.stringify(kind);
    kinds.set(key, [...(kinds.get(key) ?? []), one]);
  }
  return [...kinds.values()].flatMap((some) =>
    some[0] === undefined ? [] : [[[some[0]], some.length] as const],
  );
}

/** What was wrong with one build of a request alone, which does not count. */
function dismissedIn(api: string, all: readonly Simulated[]): string[] {
  const promises = Object.keys(
    all.find(({ judged }) => judged.length > 0)?.judged[0] ?? {},
  ) as SimulatedPromise[];
  return promises.flatMap((promise) => {
    const requests = all.map(({ judged }) =>
      judged.flatMap(({ [promise]: one }) => (one === null ? [] : [one])),
    );
    const decisions = agreedOver(requests);
    const dismissed = requests.flatMap((some, at) => {
      const chainId = all[at]?.chainId;
      if (decisions[at] === 'broken' || !isOpen(some.map(({ said }) => said))) return [];
      const [first] = some.map(({ said }) => said).filter(isBroken);
      return [{ chainId, was: first?.[0]?.actual ?? '' }];
    });
    return countedBy(dismissed, ({ chainId }) => chainId).map(
      ([[{ chainId, was }], count]) =>
        `On chain ${chainId} fewer than two builds of the same ${api} request broke ${api}.simulated.${promise}, so that it does not count (${count}): the first was ${was}.`,
    );
  });
}

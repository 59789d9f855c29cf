/** What a run knows of what was served, as `run.json` says it. */

import type { Judge, RuleResult } from '../../contracts/judging/judge.ts';
import { isFrom } from '../../contracts/judging/replies/standing.ts';
import {
  type Stopped,
  type UnservedOperations,
  unservedOperations,
  type WereOut,
} from '../../contracts/judging/replies/unserved.ts';
import type { OutageRow } from '../../contracts/judging/replies/outage-rows.ts';
import { isUnreachableNotice } from '../../contracts/run/unreachable.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { AtTimesRow } from '../../contracts/run/run.ts';
import type { RunFacts } from './run-facts.ts';
import { atTimesNotices, briefOutageNotices, fewErrorsOf } from './error-notices.ts';
import { refusalNotices, standingNotices, unservedNotices } from './served-notices.ts';

/** What a run says of what was not served. */
export interface ServedWords {
  /** Whether a run without a broken must is undecided by it. */
  readonly isOpen: boolean;
  readonly notices: readonly string[];
  /** The APIs that were out, for a while or in the whole run, and operations by their ids. */
  readonly outages: readonly string[];
  /** What did not serve at times. */
  readonly atTimes: readonly AtTimesRow[];
  /** The APIs that they speak of. */
  readonly apis: ReadonlySet<ApiName>;
  /** Whether a sentence of the drive says no more than these. */
  readonly isSaidBy: (notice: string) => boolean;
}

/** That of a run which is no drive. */
export const NOTHING_KNOWN: ServedWords = {
  isOpen: false,
  notices: [],
  outages: [],
  atTimes: [],
  apis: new Set(),
  isSaidBy: () => false,
};

const NOTHING_UNSERVED: UnservedOperations = {
  asked: [],
  ofUnknownThings: [],
  stopped: [],
  wereOut: [],
};

function apiOf({ api }: { readonly api: ApiName }): ApiName {
  return api;
}

/** Whether what served nothing for a while is a part of an outage, in which wrong requests may stand behind it. */
function isPartOf({ api, row: { until } }: Stopped | WereOut, outage: OutageRow): boolean {
  if (api !== outage.api) return false;
  return isFrom(until, outage.from) && isFrom(outage.until, until);
}

/** What the exchanges of a drive say of what was not served. */
export function servedOf(
  { replies, standing, asked: requests }: Pick<Judge, 'replies' | 'standing' | 'asked'>,
  results: readonly RuleResult[],
  facts: Pick<RunFacts, 'choice' | 'keyVariables' | 'load' | 'refusedAtTimes'>,
): ServedWords {
  const { choice, keyVariables = {}, load, refusedAtTimes = [] } = facts;
  const out = standing.outages.flatMap(({ apis }) => apis);
  const aside = new Set([...out, ...standing.emptyBases.map(({ api }) => api)]);
  // The record of a load is a sample, so it shows hosts alone.
  const unserved =
    load === undefined ? unservedOperations(replies, results, choice) : NOTHING_UNSERVED;
  const asked = unserved.asked.filter(({ operation }) => !aside.has(operation.api));
  const isThere = ({ api }: { readonly api: ApiName }): boolean => !aside.has(api);
  const ofUnknownThings = unserved.ofUnknownThings.filter(isThere);
  const stopped = unserved.stopped.filter(isThere);
  const wereOut = unserved.wereOut.filter(isThere);
  const notices = [
    ...standingNotices(standing),
    ...unservedNotices({ asked, ofUnknownThings, stopped, wereOut }, keyVariables),
  ];
  const rows = requests?.outages.rows.filter(isThere) ?? [];
  const isSaid = (row: OutageRow): boolean =>
    [...stopped, ...wereOut].some((one) => isPartOf(one, row)) ||
    standing.ended.some((one) => one.from === row.from);
  const few = fewErrorsOf(replies, rows);
  const refused = refusedAtTimes.filter(isThere);
  // Beside what is open, not open themselves.
  const beside =
    load === undefined
      ? [
          ...briefOutageNotices(rows, results, isSaid),
          ...atTimesNotices(few, refused),
          ...refusalNotices(replies.operations.filter(isThere), refused),
        ]
      : [];
  const open = [...asked.map(({ operation }) => operation), ...stopped, ...wereOut].map(
    ({ api }) => api,
  );
  return {
    isOpen: aside.size > 0 || open.length > 0,
    notices: [...notices, ...beside],
    atTimes: load === undefined ? [...few.rows, ...refused] : [],
    outages: [
      ...new Set([
        ...out,
        ...standing.ended.map(apiOf),
        ...rows.map(({ api, operation }) => operation ?? api),
      ]),
    ],
    apis: new Set([...aside, ...open]),
    isSaidBy: (notice) =>
      notices.includes(notice) || out.some((api) => isUnreachableNotice(api, notice)),
  };
}

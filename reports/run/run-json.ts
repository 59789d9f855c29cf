import { apisWithUrl } from '../../contracts/run/apis-of-run.ts';
import type { Judge } from '../../contracts/judging/judge.ts';
import type { RuleChoiceRow, RunJson } from '../../contracts/run/run.ts';
import { withSetAside } from '../../contracts/run/load/set-aside.ts';
import { failsRun } from '../../contracts/judging/verdict.ts';
import { given } from '../../contracts/wire/json.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import { rowNotAtHand, ruleRow } from './rule-row.ts';
import type { RunFacts } from './run-facts.ts';
import {
  failureOf,
  machineNotices,
  ownFailure,
  ownNotices,
  replacedNotices,
  setAsideNotices,
  unjudgedNotices,
  waiverNotices,
  unansweredNotices,
} from './run-notices.ts';
import { NOTHING_KNOWN, servedOf } from './served.ts';
import { idleNotice } from './served-notices.ts';
import { arrivedNotices } from './arrived-notices.ts';
import { brokenByOf, isOutOfReplay, isOwnOpen, outcomeOf, replayedOf } from './run-outcome.ts';

/** The whole of `run.json`, from a judge that has seen all exchanges of the run. */
export function runJsonOf(judge: Judge, facts: RunFacts): RunJson {
  const { startedAt, endedAt, tool, seed, profile, replay, command, target, limits } = facts;
  const choice = choiceRow(facts);
  const day = startedAt.toISOString().slice(0, 10);
  // A probe of limits and a replay ask for too little to say that nothing is served.
  const isDrive = limits === undefined && replay === undefined;
  const isOut = isOutOfReplay(facts) && judge.standing.outages.length > 0;
  const results =
    isDrive || isOut ? judge.resultsOfRun(facts.waivers, day) : judge.results(facts.waivers, day);
  const configured = apisWithUrl({ target });
  // Of exchanges that were not judged nothing is said.
  const seen = facts.notJudged === undefined ? configured : [];
  const silent = seen.filter((api) => !judge.answeredApis.has(api));
  // A probe of limits may send nothing but what is refused.
  const idle = seen.filter(
    (api) => limits === undefined && !judge.servingApis.has(api) && judge.promises(api),
  );
  const served =
    isDrive && facts.notJudged === undefined ? servedOf(judge, results, facts) : NOTHING_KNOWN;
  const unjudged = [
    ...replacedNotices(results, target, judge.servedVariables),
    ...unjudgedNotices(results),
  ];
  const { counts } = judge;
  const { simulations = [] } = facts;
  const failure = facts.failure ?? failureOf(judge.crashes);
  const notArrived = arrivedNotices(simulations, results);
  const replayed = replayedOf(facts, results);
  // One finding shown again, or not, says little of the service.
  const load =
    facts.load &&
    withSetAside(facts.load, results, (rule) =>
      failsRun(rule, facts.choice.failOn, facts.waivers, day),
    );
  const aside = setAsideNotices(load, results);
  const isOpen =
    facts.cutShort ||
    failure !== undefined ||
    idle.length > 0 ||
    served.isOpen ||
    aside.length > 0 ||
    notArrived.length > 0 ||
    results.some(
      ({ rule, unjudged: some, replaced }) =>
        rule.level === 'must' && (some !== undefined || replaced !== undefined),
    ) ||
    replay !== undefined ||
    judge.whyUnsent !== undefined ||
    isOwnOpen(facts, judge);
  const byRules = outcomeOf(results, isOpen, limits !== undefined, facts.choice.failOn);
  const { outcome } = wholeOutcome({
    outcome: byRules,
    ...(failure === undefined ? {} : { failure }),
    ...given({ load }),
  });
  const brokenBy = brokenByOf(outcome, { load }, byRules);
  return {
    schemaVersion: 1,
    tool,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    ...given({ kind: facts.kind }),
    seed,
    profile,
    ...(replay === undefined ? {} : { replay }),
    ...(replayed === undefined ? {} : { replayed }),
    ...(command === undefined ? {} : { command }),
    ...(choice === undefined ? {} : { choice }),
    ...(facts.ownRulesRow === undefined ? {} : { ownRules: facts.ownRulesRow }),
    ...(Object.keys(facts.labels).length === 0 ? {} : { labels: facts.labels }),
    ...(facts.waivers.length === 0 ? {} : { waivers: facts.waivers }),
    target,
    ...(facts.budget === undefined ? {} : { budget: facts.budget }),
    contract: facts.contract,
    record: facts.record,
    outcome,
    ...(isOpen && outcome === 'does-not-conform' ? { isOpen } : {}),
    complete: !facts.cutShort,
    ...(failure === undefined ? {} : { failure }),
    counts: { requests: counts.exchanges - (counts.nodes ?? 0), ...counts },
    rules: [
      ...results.map((result) => ruleRow(result, { judge, configured, silent, facts })),
      ...(facts.notAtHand ?? []).map(rowNotAtHand),
    ],
    ledger:
      limits === undefined
        ? judge.ledger()
        : facts.limitLedger(limits.map(({ measurement }) => measurement)),
    limits: limits?.map(({ row }) => row) ?? [],
    ...given({ load }),
    ...(facts.search === undefined ? {} : { search: facts.search }),
    ...(facts.regressions === undefined ? {} : { regressions: facts.regressions }),
    ...(simulations.length === 0 ? {} : { simulations }),
    latencies: judge.latencies(),
    ...(served.outages.length === 0 ? {} : { outages: served.outages }),
    ...(served.atTimes.length === 0 ? {} : { atTimes: served.atTimes }),
    ...(brokenBy.length === 0 ? {} : { brokenBy }),
    notices: [
      ...(failure === undefined ? [] : [ownFailure(failure)]),
      ...ownNotices(facts, judge),
      ...machineNotices(judge),
      ...served.notices,
      ...aside,
      ...notArrived,
      ...unjudged.filter((notice) => !facts.notices.includes(notice)),
      ...facts.notices.filter((notice) => !served.isSaidBy(notice)),
      ...(replay === undefined
        ? idle
            .filter((api) => !silent.includes(api) && !served.apis.has(api))
            .map((api) => idleNotice(api, judge, results, facts.keyVariables ?? {}))
        : []),
      ...(facts.load === undefined && !served.isOpen ? unansweredNotices(judge) : []),
      ...waiverNotices(facts.waivers, results, day),
    ],
  };
}

/** What was chosen of the rules; undefined where all are judged as they are. */
function choiceRow({ choice, leftOut }: RunFacts): RuleChoiceRow | undefined {
  const { only, skip, levels, failOn } = choice;
  const isPlain = [only, skip, levels].every((words) => words.length === 0) && failOn === 'must';
  return isPlain ? undefined : { only, skip, levels, failOn, leftOut };
}

/** Long because generating, shrinking and the burst share one budget. */

import type { Judge, RuleResult } from '../../contracts/judging/judge.ts';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import type { RegressionRow } from '../../contracts/run/run.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import type { Client } from '../../target/transport/client.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { OwnCodeFailed } from '../../target/config/own-code.ts';
import { prepareBurst } from '../drive/burst.ts';
import type { DriveReport } from '../drive/index.ts';
import { prepareLastLook } from '../drive/last-look.ts';
import { drive } from '../drive/index.ts';
import { watchFailures } from '../drive/failures.ts';
import type { Session } from '../driven-service.ts';
import type { SessionOptions } from '../drive/session.ts';
import { createSession } from '../drive/session.ts';
import { type ShrinkOptions, shrinkFindings } from './counterexamples.ts';
import type { GeneratedPlan } from './generated.ts';
import { driveGenerated } from './generated.ts';
import { driveRegressions } from './replay/drive-regressions.ts';
import { Reach } from './reach.ts';
import type { Regression } from './replay/regressions.ts';
import type { Replay } from './replay/replay.ts';
import { driveAgain, ROUND } from './rounds.ts';
import type { LoggingClient } from './replay/sent-log.ts';
import { logging, ReplayEnded } from './replay/sent-log.ts';
import { showAgain } from './show-again.ts';

/** A run through a target: what it may spend, and what it begins with. */
export interface Exploration extends Omit<SessionOptions, 'client' | 'depth'> {
  readonly client: Client;
  readonly seed: number;
  readonly profile: ProfileName;
  /** Judges every exchange as it comes. */
  readonly judge: Judge;
  /** Requests that the budget of the run still allows. */
  readonly requestsLeft: () => number;
  /** Seconds that the run still has for sending; no end of them when absent. */
  readonly secondsLeft?: () => number;
  /** Whether memory has room for what more exchanges leave behind; without end when absent. */
  readonly hasRoom?: () => boolean;
  /** Counterexamples of earlier runs, tried first. */
  readonly regressions: readonly Regression[];
  /** Leaves generated requests and shrinking out. */
  readonly driveOnly?: boolean;
  /** The one finding to show again; absent for a whole run. */
  readonly replay?: Replay;
  /** Whether a text may stand in a report, no secret being in it; any may when absent. */
  readonly isWithoutSecrets?: (text: string) => boolean;
  /** Takes each counterexample, with the requests to keep for next time. */
  readonly onFound: ShrinkOptions['onFound'];
}

/** This many requests are kept for what comes last. */
const FOR_BURST = 250;
/** This many requests are kept for shrinking what a run has found. */
const FOR_SHRINKING = { least: 60, share: 0.02 };
/** While this many are left, the run is checked this many times for anything to shrink. */
const LOOKS = 4;
/** The same of the seconds of a run. */
const SECONDS_FOR_SHRINKING = { most: 60, share: 0.05 };

/**
 * Runs through a target: earlier counterexamples, the drive, generated requests; then shrinks what
 * broke each rule to the smallest requests that show it.
 */
export async function explore(exploration: Exploration): Promise<DriveReport> {
  const rows: RegressionRow[] = [];
  const report = await exploreWith(exploration, rows);
  return {
    ...report,
    ...(exploration.replay === undefined ? {} : { replayed: report.replayed ?? {} }),
    ...(rows.length === 0 ? {} : { regressions: rows }),
  };
}

async function exploreWith(exploration: Exploration, rows: RegressionRow[]): Promise<DriveReport> {
  const { replay, judge, profile } = exploration;
  const [place, number] = replay?.origin.split(':') ?? [];
  const isDriven = place === 'drive' || place?.startsWith(ROUND) === true;
  const logged = logging(exploration.client, isDriven ? `${place}:${number}` : undefined);
  const session = createSession({
    ...exploration,
    client: logged.client,
    depth: PROFILES[profile],
  });
  if (replay?.kept !== undefined) {
    return showAgain(session, judge, { rule: replay.rule, kept: replay.kept });
  }
  const burst = prepareBurst(session);
  const lastLook = prepareLastLook(session, judge.replies);
  const reach =
    PROFILES[profile].searches && replay === undefined
      ? new Reach(session.contract, session.service.reaches)
      : undefined;
  if (reach !== undefined) session.client.listen((exchange) => reach.see(exchange));
  const kept = PROFILES[profile].searches ? keptForBurst(exploration.requestsLeft()) : 0;
  const mayGenerate = budgetOf({
    ...exploration,
    requestsLeft: () => exploration.requestsLeft() - kept,
  });
  const notices: string[] = [];
  let cutShort = false;
  const hasTime = (): boolean => (exploration.secondsLeft?.() ?? Infinity) > 0;
  // A service that nothing could be asked of must not count as one that conforms.
  const isOpen = (): boolean =>
    cutShort || (replay === undefined && session.service.unaskable?.(session) !== undefined);
  let generators: readonly RequestGenerator[] = [];
  try {
    const regressions =
      place === undefined || place === 'regression' ? exploration.regressions : [];
    const only = place === 'regression' ? { only: number ?? '' } : {};
    const most = exploration.requestsLeft() / 2;
    const { seed } = exploration;
    notices.push(
      ...(await driveRegressions(session, logged, {
        regressions,
        judge,
        rows,
        most,
        seed,
        ...only,
      })),
    );
    if (place !== 'regression') {
      const report = await drive(session);
      cutShort = report.cutShort;
      notices.push(...report.notices);
      if (exploration.driveOnly === true) {
        const found = report.cutShort ? [] : await burst.send(exploration.requestsLeft);
        return { ...report, cutShort: isOpen(), notices: [...report.notices, ...found] };
      }
      if (hasTime()) generators = session.service.generatorsOf(session.world, session.contract);
      if (!cutShort && PROFILES[profile].searches && hasTime()) {
        const more =
          isDriven || place === undefined ? await driveAgain(session, logged, judge, isDriven) : [];
        notices.push(...more.filter((notice) => !notices.includes(notice)));
      }
      if (!cutShort && !hasTime()) {
        notices.push(OUT_OF_TIME);
        // Whether the finding shows again is not known.
        cutShort = replay !== undefined;
      } else if (!cutShort) {
        const plan = { ...exploration, mayGenerate, ...(reach === undefined ? {} : { reach }) };
        notices.push(...(await generate(session, generators, logged, plan)));
        if (!hasTime() && reach?.report().requests === 0) notices.push(OUT_OF_TIME);
      }
      logged.mark('last look');
      if (!cutShort && replay === undefined) await lastLook.ask();
    }
  } catch (error) {
    if (
      error instanceof BudgetExceeded ||
      error instanceof Interrupted ||
      error instanceof ApiUnreachable ||
      error instanceof OwnCodeFailed
    ) {
      cutShort = true;
      notices.push(error.message);
    } else if (!(error instanceof ReplayEnded)) throw error;
    // The drive has ended where the replay wanted; shrinking may send more.
    logged.resume();
  }
  logged.mark('shrinking');
  session.progress('shrinking what was found');
  const results = replay === undefined ? judge.resultsOfRun() : judge.results();
  // Making them takes time, which a run that has come to its end needs for judging.
  if (generators.length === 0 && isBroken(results))
    generators = session.service.generatorsOf(session.world, session.contract);
  const { log } = logged;
  const interrupted = await shrinkFindings({
    ...{ ...exploration, session, generators, results, log },
    fewestExchanges: (ruleId) => judge.fewestExchanges(ruleId),
  }).catch((error: unknown) => {
    if (error instanceof OwnCodeFailed) return error;
    throw error;
  });
  const search = reach?.hasBegun === true ? { search: reach.report() } : {};
  if (interrupted !== undefined) {
    return { notices: [...new Set([...notices, interrupted.message])], cutShort: true, ...search };
  }
  if (cutShort || replay !== undefined) return { notices, cutShort, ...search };
  session.progress('equal requests at once');
  try {
    const reported = await burst.send(exploration.requestsLeft);
    logged.mark('last look');
    await lastLook.confirm().catch((error: unknown) => {
      // All was asked for already that a verdict needs.
      if (!(error instanceof BudgetExceeded || error instanceof ApiUnreachable)) throw error;
    });
    return { notices: [...notices, ...reported], cutShort: isOpen(), ...search };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return { notices: [...notices, error.message], cutShort: true, ...search };
  }
}

const OUT_OF_TIME =
  'The seconds of the run were used up before requests were generated. --max-seconds allows more.';
/** Requests that are spent on what generated requests failed in. */
const MOST_ASKED_AGAIN = 100;
const FULL_MEMORY =
  'Fewer requests were generated than the budget allows: what is to be remembered of each has filled the memory of the run.';

interface Generating extends Exploration {
  readonly mayGenerate: () => boolean;
  readonly reach?: Reach;
}

async function generate(
  session: Session,
  generators: readonly RequestGenerator[],
  { mark }: LoggingClient,
  { seed, profile, judge, replay, mayGenerate, reach, hasRoom = () => true }: Generating,
): Promise<string[]> {
  session.progress('generated requests');
  const failures = watchFailures(session, MOST_ASKED_AGAIN);
  const { casesEach } = PROFILES[profile];
  const { casesEach: casesOfGate } = PROFILES.gate;
  const plan: GeneratedPlan = {
    ...{ seed, casesEach, mark },
    mayGoOn: mayGenerate,
    wanted: () => wantedOf(judge),
    ...(reach === undefined ? {} : { search: { casesOfGate, reach } }),
    ...(replay === undefined ? {} : { only: replay.origin }),
  };
  try {
    const { discarded, unsendable } = await driveGenerated(
      session,
      askedBy(session, generators),
      plan,
    );
    mark('failures once more');
    if (replay === undefined) await failures.askAgain();
    return [
      ...(discarded === 0
        ? []
        : [
            `${discarded} generated requests were not sent: they had lost the defect they were for.`,
          ]),
      ...(unsendable === 0
        ? []
        : [`${unsendable} generated requests were not sent: HTTP does not allow them.`]),
      ...(hasRoom() ? [] : [FULL_MEMORY]),
    ];
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    // All that a verdict needs has been asked for already; a search is meant to spend its budget.
    const isExpected =
      reach?.hasBegun === true && (error.which === 'requests' || error.which === 'seconds');
    return isExpected ? [] : [`${error.message} Fewer requests were generated.`];
  }
}

/** Those whose operations the chosen rules speak of. */
function askedBy(
  { needed, contract }: Session,
  generators: readonly RequestGenerator[],
): readonly RequestGenerator[] {
  if (needed === undefined) return generators;
  return generators.filter(({ plain: { api, method, path } }) =>
    needed.isAsked(api, contract.find(api, method, path)?.id),
  );
}

/** What a search that would spend all leaves for equal requests at once. */
function keptForBurst(requests: number): number {
  return Math.min(FOR_BURST, Math.floor(requests / 10));
}

/** Whether another case may be begun: if there is something to shrink, that comes first. */
function budgetOf({
  judge,
  requestsLeft,
  secondsLeft = () => Infinity,
  hasRoom = () => true,
}: Pick<Exploration, 'judge' | 'requestsLeft' | 'secondsLeft' | 'hasRoom'>): () => boolean {
  const { least, share } = FOR_SHRINKING;
  const requests = Math.max(least, Math.floor(requestsLeft() * share));
  const { most, share: ofSeconds } = SECONDS_FOR_SHRINKING;
  const seconds = Math.min(most, secondsLeft() * ofSeconds);
  let looked = Infinity;
  return () => {
    if (!hasRoom()) return false;
    const left = Math.min(requestsLeft() / requests, secondsLeft() / seconds);
    if (left > 1 || left <= 0) return left > 0;
    // Concluding over the run again after every request would be expensive.
    if (looked - left < 1 / LOOKS) return true;
    looked = left;
    return !isBroken(judge.results());
  };
}

function isBroken(results: readonly RuleResult[]): boolean {
  return results.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
}

/** Operations of which some rule lacks evidence. */
function wantedOf(judge: Judge): ReadonlySet<string> {
  const lacking = judge.results().filter(({ verdict }) => verdict === 'not-reached');
  return new Set(lacking.flatMap(({ rule }) => (rule.operations === '*' ? [] : rule.operations)));
}

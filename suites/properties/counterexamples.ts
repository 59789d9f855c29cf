import { curlOf } from '../../contracts/run/curl.ts';
import { excerpt } from '../../contracts/judging/excerpt.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import { isOnFailingRequests } from '../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Counterexample, FindingThen } from '../../contracts/run/run.ts';
import { type Exchange, NODE_API } from '../../contracts/wire/exchange.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import type { Session } from '../driven-service.ts';
import type { TriedRequest } from '../drive/tried-request.ts';
import { triedOf } from '../drive/as-generated.ts';
import type { Reproducer } from './reproducer.ts';
import { isBroken, relationOf } from './reproducer.ts';
import type { SentOfRun } from './first-reproducer.ts';
import { reproducerOf } from './first-reproducer.ts';
import { isSpent, replayWord, thenOf } from './replay-of-found.ts';
import { MAX_REQUESTS, sendUntilShown } from './show-again.ts';
import { areServiceErrors, areToBeTaken } from './service-errors.ts';
import type { Minimal, Shrinking } from './minimise.ts';
import { differsIn, minimise } from './minimise.ts';

/** What shrinking the findings of a run needs. */
export interface ShrinkOptions extends SentOfRun {
  readonly session: Session;
  readonly generators: readonly RequestGenerator[];
  readonly results: readonly RuleResult[];
  /** Requests that the budget of the run still allows. */
  readonly requestsLeft: () => number;
  /** Whether a text may stand in a report, no secret being in it; any may when absent. */
  readonly isWithoutSecrets?: (text: string) => boolean;
  /** Takes each counterexample as it is found, with the requests to keep for next time. */
  readonly onFound: (
    found: Counterexample,
    reproducer: Reproducer,
    then: FindingThen | undefined,
  ) => void;
}

/** More is not spent on one rule. */
const MAX_FOR_ONE = 40;
/** More characters of an answer are not shown. */
const SHOWN_CHARACTERS = 2_000;

/**
 * Shrinks what broke each rule, the musts first, until the budget of the run ends.
 *
 * @returns the interruption, if that ended it: what is left is shown as it was
 */
export async function shrinkFindings(options: ShrinkOptions): Promise<Interrupted | undefined> {
  const { session, generators, results, requestsLeft, onFound, isWithoutSecrets } = options;
  const plainFor = plainRequests(session, generators);
  // What an outage answered is answered so by whatever is sent while it lasts.
  const shown = results.filter(({ findings }) => findings.some(({ isOfOutage }) => !isOfOutage));
  const broken = [
    ...shown.filter(({ verdict }) => verdict === 'fail'),
    ...shown.filter(({ verdict }) => verdict === 'warn'),
  ];
  let interrupted: Interrupted | undefined;
  for (const [index, result] of broken.entries()) {
    const { reproducer, origin, whole, exchange } = reproducerOf(
      result,
      options,
      plainFor,
      session.service,
    );
    if (reproducer.length === 0) continue;
    const fair = Math.floor(requestsLeft() / (broken.length - index));
    const shrinking = {
      session,
      rule: result.rule,
      plainFor,
      mostRequests: Math.min(MAX_FOR_ONE, Math.max(fair, 1)),
    };
    const onStop = (by: Interrupted): void => {
      interrupted = by;
    };
    const shrunk = await shrink(reproducer, shrinking, onStop);
    const minimal = await repeated(shrunk, shrinking, requestsLeft, onStop);
    const then = thenOf(session, result, minimal);
    const replay =
      replayWord(
        session,
        result,
        { ...minimal, reproducer: whole ?? minimal.reproducer },
        then,
        isWithoutSecrets,
      ) ?? `${result.rule.id}@${origin}`;
    onFound(counterexampleOf(result, minimal, replay, exchange), minimal.reproducer, then);
  }
  return interrupted;
}

/** What ends the shrinking of one finding, and no more. */
const STOPS = [BudgetExceeded, ApiUnreachable, UnsendableRequest] as const;

async function shrink(
  reproducer: Reproducer,
  shrinking: Shrinking,
  onInterrupted: (by: Interrupted) => void,
): Promise<Minimal> {
  const asIs = (stopped: string): Minimal => ({
    reproducer,
    ...{ exchanges: [], requests: [] },
    differsIn: differsIn(reproducer, shrinking.plainFor),
    reproduced: { times: 0, of: 0 },
    discarded: 0,
    stopped,
  });
  // Limits are there to prevent asking again and again for what was just refused.
  if (shrinking.rule.answer === 'throttled') return asIs('what is throttled is not sent again');
  // Nodes are asked by the drive alone.
  if (shrinking.rule.besides?.includes(NODE_API) === true) {
    return asIs('what a node executed is shown as it was');
  }
  // Credentials that were revoked cannot be used up again.
  if (isSpent(shrinking.session, reproducer)) {
    return asIs('the life of a credential is shown as it was');
  }
  try {
    return await (isOnFailingRequests(shrinking.rule)
      ? minimiseError(reproducer, shrinking)
      : minimise(reproducer, shrinking));
  } catch (error) {
    if (error instanceof Interrupted) {
      onInterrupted(error);
      return asIs('the run was interrupted');
    }
    if (STOPS.some((kind) => error instanceof kind)) return asIs((error as Error).message);
    throw error;
  }
}

/**
 * What did not show when it was sent a few times, each by itself, is sent as often as a rule over a run
 * takes to be certain, so that it is known whether it shows by its requests alone.
 */
async function repeated(
  minimal: Minimal,
  { session, rule }: Shrinking,
  requestsLeft: () => number,
  onInterrupted: (by: Interrupted) => void,
): Promise<Minimal> {
  const { reproducer, exchanges, reproduced } = minimal;
  const isOverRun = rule.scope === 'run' && relationOf(session.service, rule) === undefined;
  if (!isOverRun || exchanges.length > 0 || reproduced.of === 0) return minimal;
  if (requestsLeft() < 2 * MAX_REQUESTS) return minimal;
  try {
    const { exchanges: sent } = await sendUntilShown(session, rule, reproducer);
    if (!isBroken(session.contract, rule, sent)) return minimal;
    const last = sent.slice(-reproducer.length);
    const requests = last.map(({ request }) => request);
    return { ...minimal, exchanges: last, requests, reproduced: { times: 1, of: 1 } };
  } catch (error) {
    if (error instanceof Interrupted) onInterrupted(error);
    else if (!STOPS.some((kind) => error instanceof kind)) throw error;
    return minimal;
  }
}

/** Shrinks the request that fails alone; the one that is served between says that others are. */
async function minimiseError(
  [failing, ...served]: Reproducer,
  shrinking: Shrinking,
): Promise<Minimal> {
  const shows = { isShown: areServiceErrors, mayShow: areToBeTaken };
  const first = failing === undefined ? [] : [failing];
  const minimal = await minimise(first, { ...shrinking, shows });
  return { ...minimal, reproducer: [...minimal.reproducer, ...served] };
}

/** The plain valid request of each operation that something can be generated for. */
function plainRequests(
  session: Session,
  generators: readonly RequestGenerator[],
): (request: TriedRequest) => TriedRequest | undefined {
  const { contract } = session;
  const byOperation = new Map<string, TriedRequest>();
  for (const { plain } of generators) {
    const id = contract.find(plain.api, plain.method, plain.path)?.id;
    if (id !== undefined && !byOperation.has(id)) byOperation.set(id, triedOf(session, plain));
  }
  return ({ api, method, path }) => byOperation.get(contract.find(api, method, path)?.id ?? '');
}

function counterexampleOf(
  { rule, findings }: RuleResult,
  { exchanges, requests, differsIn: fields, reproduced, stopped }: Minimal,
  replay: string,
  found: string | undefined,
): Counterexample {
  const [first] = findings;
  // What was not seen again was seen once, by the same request.
  const before = found === undefined ? (first?.exchanges ?? []) : [found];
  const shown = requests.length > 0 || first === undefined ? requests : [first.request];
  const last = exchanges.at(-1);
  return {
    rule: rule.id,
    exchanges: exchanges.length > 0 ? exchanges.map(({ id }) => id) : before,
    curl: shown.map(curlOf),
    ...(last === undefined ? {} : { response: responseOf(last) }),
    differsIn: fields,
    reproduced,
    replay,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function responseOf({ outcome }: Exchange): NonNullable<Counterexample['response']> {
  if (outcome.kind === 'failure') return { status: 0, body: outcome.message };
  const { status, body } = outcome.response;
  return { status, body: excerpt(body.text, SHOWN_CHARACTERS) };
}

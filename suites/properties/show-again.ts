import { timesToHold } from '../../contracts/judging/chance/times-to-hold.ts';
import type { Judge } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { OUTAGES_IN_A_ROW } from '../../contracts/rules/valid-requests/each-time.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import { isOnFailingRequests } from '../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { CredentialMissing, CredentialUnchangeable } from '../../target/transport/client.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import type { DriveReport } from '../drive/index.ts';
import type { Session } from '../driven-service.ts';
import { RelationChecker } from '../drive/relation-checker.ts';
import type { Reproducer } from './reproducer.ts';
import { comparisonOf, isBroken, isShown, relationOf, send } from './reproducer.ts';
import { isKept } from './replay/kept-evidence.ts';
import type { Replay } from './replay/replay.ts';
import { areServiceErrors } from './service-errors.ts';

/** More is not sent for one finding. */
export const MAX_REQUESTS = 15;
/** What shows now and then is asked for this often. */
const MAX_TIMES = 3;
/** What a rule over a whole run takes to be certain: several answers to each request. */
const MAX_TIMES_OVER_A_RUN = 6;
/** Requests of one moment meet by chance. */
const MAX_TIMES_AT_ONCE = 7;

/** Sends what showed a finding once, and nothing else. */
export async function showAgain(
  session: Session,
  judge: Judge,
  { rule: id, kept }: Required<Pick<Replay, 'rule' | 'kept'>>,
): Promise<DriveReport> {
  const { then, reproducer } = kept;
  const reported = then === undefined ? {} : { then };
  const rule = judge.results().find((result) => result.rule.id === id)?.rule;
  const missing = reproducer.find(({ request }) => !session.apis.has(request.api))?.request.api;
  if (rule === undefined || missing !== undefined) {
    const why =
      rule === undefined
        ? `there is no rule ${id}`
        : `it needs the ${missing} API, which has no base URL`;
    return unsent(`The finding was not asked for: ${why}.`, reported);
  }
  session.progress('what showed the finding');
  try {
    const wanted = timesToHold(then?.rate);
    const { exchanges, kept } = await sendUntilShown(session, rule, reproducer, {
      least: wanted,
    });
    if (kept >= wanted || isShown(session, rule, exchanges))
      return { notices: [], cutShort: false, replayed: reported };
    const words = openWords(kept, wanted);
    return unsent(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`, reported);
  } catch (error) {
    if (!STOPS.some((kind) => error instanceof kind)) throw error;
    return unsent((error as Error).message, reported);
  }
}

const STOPS = [
  ApiUnreachable,
  BudgetExceeded,
  CredentialMissing,
  CredentialUnchangeable,
  Interrupted,
  UnsendableRequest,
] as const;

function unsent(notice: string, replayed: NonNullable<DriveReport['replayed']>): DriveReport {
  return { notices: [notice], cutShort: true, replayed };
}

/**
 * Why requests that do not show a fault do not say either that it is gone.
 *
 * @param before how often its rule held in earlier runs, since it showed last
 */
export function openWords(kept: number, wanted: number, before = 0): string {
  const why =
    kept === 0
      ? 'no answer to its requests could be judged: errors, limits and refusals say nothing of it'
      : `its rule held ${kept + before} ${kept + before === 1 ? 'time' : 'times'} ${before > 0 ? `over the runs since it showed last, ` : ''}of the ${wanted} that the rate asks for at which it showed`;
  return `nothing can be said, for ${why}`;
}

/** What came of sending a reproducer. */
export interface SentAgain {
  /** All that was exchanged. */
  readonly exchanges: readonly Exchange[];
  /** The same, by sendings. */
  readonly sendings: readonly (readonly Exchange[])[];
  /** How often its requests were answered as the rule wants to see it. */
  readonly kept: number;
}

/** How a reproducer is sent. */
interface Sending {
  /** So often at the least, unless it shows; 1 when absent. */
  readonly least?: number;
  /** What was exchanged, as it is to be judged; as it is when absent. */
  readonly asThen?: (exchanges: readonly Exchange[]) => readonly Exchange[];
  /** Whether what shows now and then is asked for once. */
  readonly once?: boolean;
}

/**
 * Sends the requests of a reproducer until they show the broken rule: those of a relation, and errors of
 * the service, as often as it takes to be certain, others a few times.
 *
 * @throws {BudgetExceeded} and what else ends a run
 */
export async function sendUntilShown(
  session: Session,
  rule: Rule,
  reproducer: Reproducer,
  { asThen = (exchanges) => exchanges, once = false, least = 1 }: Sending = {},
): Promise<SentAgain> {
  const { service } = session;
  const row = comparisonOf(service, rule);
  const isServiceError = isOnFailingRequests(rule);
  const [first, ...others] = reproducer;
  const isPair = reproducer.every(({ group }) => group === undefined);
  if (row !== undefined && isPair && first !== undefined && others.length > 0) {
    const sendings: (readonly Exchange[])[] = [];
    let kept = 0;
    for (let times = 1; times <= least; times += 1) {
      const sent: Exchange[] = [];
      const stop = session.client.listen((exchange) => sent.push(exchange));
      try {
        const relation = { name: row.relation, rules: [row] };
        await new RelationChecker(session).run(
          first.request,
          others.map(({ request, role }) =>
            role === 'C' ? { relation, request, isControl: true } : { relation, request },
          ),
        );
      } finally {
        stop();
      }
      sendings.push(sent);
      if (isShown(session, rule, asThen(sent))) break;
      if (isKept(session, rule, asThen(sent))) kept += 1;
    }
    return { exchanges: sendings.flat(), sendings, kept };
  }
  const [exchanges, sendings]: [Exchange[], (readonly Exchange[])[]] = [[], []];
  let kept = 0;
  const isOverRun = rule.scope === 'run' && relationOf(service, rule) === undefined;
  const isAtOnce = reproducer.some(({ kind = relationOf(service, rule) }) => kind === SIMULTANEOUS);
  const ofOthers = isAtOnce ? MAX_TIMES_AT_ONCE : isOverRun ? MAX_TIMES_OVER_A_RUN : MAX_TIMES;
  const most = Math.max(isServiceError ? OUTAGES_IN_A_ROW : ofOthers, least);
  const mostRequests = Math.max(
    isServiceError ? most * reproducer.length : MAX_REQUESTS,
    least * reproducer.length,
  );
  for (let times = 1; times <= most; times += 1) {
    if (times > least && once && !isServiceError) break;
    if (times > 1 && exchanges.length + reproducer.length > mostRequests) break;
    session.groupCount += 1;
    const sent = await send(session, rule, reproducer, `again-${session.groupCount}`);
    exchanges.push(...sent);
    sendings.push(sent);
    const judged = asThen(sent);
    const held = isKept(session, rule, judged);
    if (held) kept += 1;
    // A request that is served as often as its rate asks is not answered with an error each time.
    const isServed = isServiceError && !areServiceErrors(sent.slice(0, 1));
    if (isServed && (!held || kept >= least)) break;
    if (isBroken(session.contract, rule, asThen(exchanges))) break;
    if (kept >= least && rule.scope === 'exchange' && !isServiceError && least > 1) break;
  }
  // What takes several answers to be judged is judged by all of them.
  if (isOverRun && kept === 0 && isKept(session, rule, asThen(exchanges))) kept = least;
  return { exchanges, sendings, kept };
}

import type { Judge } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { OUTAGES_IN_A_ROW } from '../../contracts/rules/valid-requests/each-time.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import { isOnFailingRequests } from '../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { CredentialMissing, CredentialUnchangeable } from '../../target/transport/client.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import type { DriveReport } from '../drive/index.ts';
import type { Session } from '../driven-service.ts';
import { RelationChecker } from '../drive/relation-checker.ts';
import type { Reproducer } from './reproducer.ts';
import { comparisonOf, isBroken, relationOf, send } from './reproducer.ts';
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
    const exchanges = await sendUntilShown(session, rule, reproducer);
    return { notices: [], cutShort: !areAnswered(session, exchanges), replayed: reported };
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

/** How a reproducer is sent. */
interface Sending {
  /** What was exchanged, as it is to be judged; as it is when absent. */
  readonly asThen?: (exchanges: readonly Exchange[]) => readonly Exchange[];
  /** Whether what shows now and then is asked for once. */
  readonly once?: boolean;
}

/**
 * Sends the requests of a reproducer until they show the broken rule: those of a relation, and errors of
 * the service, as often as it takes to be certain, others a few times.
 *
 * @returns all that was exchanged
 */
export async function sendUntilShown(
  session: Session,
  rule: Rule,
  reproducer: Reproducer,
  { asThen = (exchanges) => exchanges, once = false }: Sending = {},
): Promise<readonly Exchange[]> {
  const { service } = session;
  const row = comparisonOf(service, rule);
  const isServiceError = isOnFailingRequests(rule);
  const [first, ...others] = reproducer;
  const isPair = reproducer.every(({ group }) => group === undefined);
  if (row !== undefined && isPair && first !== undefined && others.length > 0) {
    const exchanges: Exchange[] = [];
    const stop = session.client.listen((exchange) => exchanges.push(exchange));
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
    return exchanges;
  }
  const exchanges: Exchange[] = [];
  const isOverRun = rule.scope === 'run' && relationOf(service, rule) === undefined;
  const isAtOnce = reproducer.some(({ kind = relationOf(service, rule) }) => kind === SIMULTANEOUS);
  const ofOthers = isAtOnce ? MAX_TIMES_AT_ONCE : isOverRun ? MAX_TIMES_OVER_A_RUN : MAX_TIMES;
  const most = isServiceError ? OUTAGES_IN_A_ROW : ofOthers;
  const mostRequests = isServiceError ? most * reproducer.length : MAX_REQUESTS;
  for (let times = 1; times <= most; times += 1) {
    if (times > 1 && once && !isServiceError) break;
    if (times > 1 && exchanges.length + reproducer.length > mostRequests) break;
    session.groupCount += 1;
    const sent = await send(session, rule, reproducer, `again-${session.groupCount}`);
    exchanges.push(...sent);
    // A request that is served once is not answered with an error each time.
    if (isServiceError && !areServiceErrors(sent.slice(0, 1))) break;
    if (isBroken(session.contract, rule, asThen(exchanges))) break;
  }
  return exchanges;
}

/** Whether the service said something, be it an error: else nothing was seen. */
function areAnswered({ contract }: Session, exchanges: readonly Exchange[]): boolean {
  return exchanges.some(
    ({ outcome }) =>
      outcome.kind === 'response' &&
      !contract.errors.isThrottled(
        outcome.response.status,
        jsonOrUndefined(outcome.response.body.text),
      ),
  );
}

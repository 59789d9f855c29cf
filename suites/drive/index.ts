import type { FindingThen, RegressionRow, RunSearch } from '../../contracts/run/run.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import type { Recorded } from '../../target/record/recorder.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import { watchFailures } from './failures.ts';
import { type RefusalWatch, watchRefusals } from './refusals.ts';
import type { Client } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { sessionWith } from './session.ts';

/** What the reader of a report must know of how the drive went. */
export interface DriveReport {
  /** Sentences about what could not be done and why. */
  readonly notices: readonly string[];
  /** Whether the drive ended before it was through, or could ask for nothing that matters. */
  readonly cutShort: boolean;
  /** What generating until the budget was spent has reached. */
  readonly search?: RunSearch;
  /** Of a replay: what the finding said then, as far as that is reported. */
  readonly replayed?: { readonly then?: FindingThen };
  /** What became of the counterexamples of earlier runs. */
  readonly regressions?: readonly RegressionRow[];
  /** What was recorded, by whoever did. */
  readonly recorded?: Recorded;
}

/**
 * Drives a target through every endpoint, stage by stage. An API that is not configured is left
 * out. One that cannot be reached, a budget that ends, or an interruption cuts the drive short and is
 * reported.
 *
 * @param isAgain whether the run has driven through it before: then this is no measure of a whole drive
 */
export async function drive(session: Session, isAgain = false): Promise<DriveReport> {
  const { client } = session;
  const listening: (() => void)[] = [];
  const listen: Client['listen'] = (listener) => {
    const end = client.listen(listener);
    listening.push(end);
    return end;
  };
  try {
    return await driveStages(
      sessionWith(session, { client: { send: (request) => client.send(request), listen } }),
      isAgain,
    );
  } finally {
    // What is sent afterwards, which may be much, depends on nothing that it shows.
    for (const end of listening) end();
  }
}

async function driveStages(session: Session, isAgain: boolean): Promise<DriveReport> {
  const notices: string[] = [];
  let cutShort = false;
  const unasked: string[] = [];
  const failures = watchFailures(session);
  const refusals = watchRefusals(session);
  let sent = 0;
  session.client.listen(() => (sent += 1));
  const all = session.service.stagesOf(session, unasked).filter(({ api }) => session.apis.has(api));
  const stages = session.needed?.stages(all) ?? all;
  for (const { name, run, isAdditional, deletes } of stages) {
    session.progress(name);
    try {
      if (deletes === true) await onceMore(refusals, 'things');
      await run();
      await failures.askAgain();
      await refusals.askAgain();
    } catch (error) {
      if (error instanceof BudgetExceeded) {
        const advice = isAgain ? '' : adviceOn(error, sent, session.service);
        const rest = isAgain ? 'The rest of a further round' : 'The rest';
        const ended = `${error.message}${advice} ${rest} was left out, from: ${name}.`;
        return {
          notices: [...notices, ...unasked, ended],
          cutShort: cutShort || isAdditional !== true,
        };
      }
      if (error instanceof Interrupted) {
        return { notices: [...notices, ...unasked, error.message], cutShort: true };
      }
      if (error instanceof UnsendableRequest) {
        // What the target stated of itself cannot be sent back to it.
        cutShort ||= isAdditional !== true;
        notices.push(`${error.message}. The rest was left out of: ${name}.`);
        continue;
      }
      if (!(error instanceof ApiUnreachable)) throw error;
      cutShort = true;
      if (!notices.includes(error.message)) notices.push(error.message);
    }
  }
  try {
    await onceMore(refusals, 'all');
  } catch (error) {
    if (error instanceof Interrupted) {
      return { notices: [...notices, ...unasked, error.message], cutShort: true };
    }
    // No verdict rests on it.
    if (!(error instanceof BudgetExceeded)) throw error;
  }
  // If something else has been said already, that is why.
  const why = cutShort ? undefined : session.service.unaskable?.(session);
  const learned = why === undefined ? [] : [why];
  const saved = isAgain ? [] : savedWords(all.length - stages.length, sent, session.service);
  return { notices: [...notices, ...learned, ...unasked, ...saved], cutShort };
}

/** What a choice of rules has saved. */
function savedWords(
  leftOut: number,
  sent: number,
  { usualRequests }: Session['service'],
): string[] {
  if (leftOut === 0 || sent >= usualRequests) return [];
  return [
    `${leftOut === 1 ? '1 part of the drive was' : `${leftOut} parts of the drive were`} left out, as the chosen rules do not need ${leftOut === 1 ? 'it' : 'them'}: ${sent} requests were sent in place of about ${usualRequests}.`,
  ];
}

/** Sends more of what was sent seldom, and again what was refused of it; an API that ends there is none to report. */
async function onceMore(
  { sendMore, askAgain }: RefusalWatch,
  which: Parameters<RefusalWatch['sendMore']>[0],
): Promise<void> {
  try {
    await sendMore(which);
    await askAgain();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
  }
}

/** How long a whole drive takes at the pace of one that ran out of time. */
function adviceOn(
  { which, value }: BudgetExceeded,
  sent: number,
  { usualRequests }: Session['service'],
): string {
  if (which !== 'seconds' || sent === 0 || sent >= usualRequests) return '';
  const seconds = Math.ceil((value * usualRequests) / sent / 60) * 60;
  return ` It allowed ${sent} requests; a whole drive sends about ${usualRequests}, for which --max-seconds ${seconds} is enough at this pace.`;
}

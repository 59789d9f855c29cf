import type { Judge, RuleResult } from '../../contracts/judging/judge.ts';
import { drive } from '../drive/index.ts';
import type { Session } from '../driven-service.ts';
import { sessionWith } from '../drive/session.ts';
import type { LoggingClient } from './replay/sent-log.ts';

/** What the rounds of a drive after the first are called, each with its number. */
export const ROUND = 'round';
const LAST_ROUND = 4;

/**
 * Drives through everything again, with other choices, while rules lack evidence that they get so.
 *
 * @param isReplay whether it is a replay, which goes as far as its request, whatever lacks evidence
 * @returns what is to be reported of the rounds
 */
export async function driveAgain(
  session: Session,
  { beginRound }: LoggingClient,
  judge: Judge,
  isReplay: boolean,
): Promise<readonly string[]> {
  const notices: string[] = [];
  let evidence = evidenceLacking(judge);
  for (let round = 2; round <= LAST_ROUND && (isReplay || evidence !== ''); round += 1) {
    beginRound(`${ROUND}${round}`);
    session.progress(`round ${round}, since rules lack evidence`);
    // What the first round has learned is what requests are generated from.
    const again = sessionWith(session, { world: session.service.renewWorld(session.world) });
    notices.push(...(await drive(again, true)).notices);
    const now = evidenceLacking(judge);
    if (now === evidence && !isReplay) break;
    evidence = now;
  }
  return notices;
}

/** Rules that a further round may reach: what throttles is not asked for, nor what only the user can give. */
function lackingOf(judge: Judge): readonly RuleResult[] {
  return judge
    .results()
    .filter(
      ({ verdict, rule: { answer, needs } }) =>
        verdict === 'not-reached' && answer !== 'throttled' && needs === undefined,
    );
}

/** What the rules that lack evidence have, in a text that changes with it; empty when none lacks any. */
function evidenceLacking(judge: Judge): string {
  return lackingOf(judge)
    .map(({ rule, evidence }) => `${rule.id} ${evidence}`)
    .join();
}

import type { Driving, Session } from '../driven-service.ts';
import type { CaseSender } from './case-sender.ts';
import type { Case, CaseStream } from './cases.ts';
import { LongerLives } from './longer-lives.ts';

/** Cases that are sent near one whose answer was of a new kind. */
const NEAR_EACH = 4;
/** More cases with answers of a new kind do not wait for others near them. */
const MAX_WAITING = 200;
/** One case in this many is near an interesting one, while there are any. */
const NEAR_EVERY = 3;
/** Rounds between two life cycles. */
const LIFE_EVERY = 15;
/** Rounds in a row in which nothing was found to send. */
const MAX_IDLE = 20;

/** Rounds after which a line says that the run goes on. */
const REPORTED_EVERY = 50;

interface Interesting {
  readonly stream: CaseStream;
  readonly of: Case;
  tried: number;
}

/**
 * Goes on sending generated cases until it may no longer: combinations of features that were not sent
 * before, cases near those whose answer was of a new kind, and now and then a longer life cycle.
 */
export async function searchOn(
  session: Session,
  sender: CaseSender,
  streams: readonly CaseStream[],
  mayGoOn: () => boolean,
): Promise<void> {
  const lives = new LongerLives(session, streams, sender);
  const turns = turnsOf(streams, session.service.searchTurns);
  const next = new Map(streams.map((stream) => [stream, stream.firstCases]));
  const waiting: Interesting[] = [];
  let [sent, idle] = [0, 0];
  const send = async (stream: CaseStream, one: Case, turn: number): Promise<void> => {
    const before = sender.newKinds;
    if (await sender.send(one, turn)) sent += 1;
    if (sender.newKinds > before && one.choices !== undefined && waiting.length < MAX_WAITING) {
      waiting.push({ stream, of: one, tried: 0 });
    }
  };
  for (let round = 0; idle < MAX_IDLE; round += 1) {
    const before = sent;
    for (const [at, stream] of turns.entries()) {
      if (!mayGoOn()) return;
      const interesting = at % NEAR_EVERY === 0 ? waiting[0] : undefined;
      if (interesting !== undefined) {
        interesting.tried += 1;
        if (interesting.tried >= NEAR_EACH) waiting.shift();
        const { stream: its, of: origin, tried } = interesting;
        const near = its.near(origin, tried);
        if (near !== undefined && its.isFirst(near)) {
          await send(its, near, tried);
          continue;
        }
      }
      const number = next.get(stream) ?? 0;
      next.set(stream, number + 1);
      const one = stream.at(number);
      if (one !== undefined) await send(stream, one, number);
    }
    if (round % LIFE_EVERY === LIFE_EVERY - 1 && mayGoOn()) {
      await lives.run(Math.floor(round / LIFE_EVERY));
    }
    idle = sent > before ? 0 : idle + 1;
    if (round % REPORTED_EVERY === REPORTED_EVERY - 1)
      session.progress('going on with generated requests');
  }
}

/** The turns of a round, those of one generator apart from each other. */
function turnsOf(streams: readonly CaseStream[], turns: Driving['searchTurns'] = {}): CaseStream[] {
  const most = Math.max(1, ...Object.values(turns));
  return Array.from({ length: most }, (_, turn) =>
    streams.filter(({ generator: { name } }) => turn < (turns[name] ?? 1)),
  ).flat();
}

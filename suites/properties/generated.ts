import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import type { Session } from '../driven-service.ts';
import { CaseSender } from './case-sender.ts';
import { CaseStream } from './cases.ts';
import { LongerLives } from './longer-lives.ts';
import type { Reach } from './reach.ts';
import { searchOn } from './search.ts';

/** What decides which generated cases are sent. */
export interface GeneratedPlan {
  readonly seed: number;
  /** Cases of each generator, boundaries and others in turn, before combinations are looked for. */
  readonly casesEach: number;
  /** Whether another case may be begun. */
  readonly mayGoOn: () => boolean;
  /** Called with each case before it is sent, by its name: generator and number, e.g. `zap.quote:17`. */
  readonly mark: (name: string | undefined) => void;
  /** The one case to send; absent for all. */
  readonly only?: string;
  /** Operations whose rules lack evidence; their generators come first. */
  readonly wanted: () => ReadonlySet<string>;
  /** Goes on after the first cases until `mayGoOn` ends it; absent if only those are sent. */
  readonly search?: {
    /** This many of the first cases of each generator are what a gate sends as well. */
    readonly casesOfGate: number;
    readonly reach: Reach;
  };
}

/** What came of generating. */
export interface GeneratedReport {
  readonly cases: number;
  /** Cases that were not sent, since their bytes were not what they were meant to be. */
  readonly discarded: number;
  /** Cases that HTTP does not allow to be sent. */
  readonly unsendable: number;
}

/** Rounds after which it is checked again which rules lack evidence. */
const REORDERED_EVERY = 10;

/**
 * Sends generated requests to every operation in turn, those first whose rules lack evidence; then,
 * where the plan says so, more of them without end.
 */
export async function driveGenerated(
  session: Session,
  generators: readonly RequestGenerator[],
  plan: GeneratedPlan,
): Promise<GeneratedReport> {
  const streams = generators
    .filter(({ plain }) => session.apis.has(plain.api))
    .map((generator) => new CaseStream(generator, plan.seed, plan.casesEach));
  const sender = new CaseSender(session, plan);
  const { only, search } = plan;
  if (only !== undefined) await replayed(session, sender, streams, only);
  else if (search === undefined) await firstCases(session, sender, streams, plan, 0);
  else {
    const { casesOfGate, reach } = search;
    sender.countBy(
      reach,
      streams.map(({ coverage }) => coverage),
    );
    await firstCases(session, sender, streams, { ...plan, casesEach: casesOfGate }, 0);
    reach.endOfGate();
    await firstCases(session, sender, streams, plan, casesOfGate);
    await searchOn(session, sender, streams, plan.mayGoOn);
  }
  return sender;
}

async function firstCases(
  session: Session,
  sender: CaseSender,
  streams: readonly CaseStream[],
  { casesEach, mayGoOn, wanted }: GeneratedPlan,
  from: number,
): Promise<void> {
  let ordered = streams;
  for (let number = from; number < casesEach; number += 1) {
    if (number === from || number % REORDERED_EVERY === 0) {
      ordered = wantedFirst(session, streams, wanted());
    }
    for (const stream of ordered) {
      const one = stream.at(number);
      if (one === undefined) continue;
      if (!mayGoOn()) return;
      await sender.send(one, number);
    }
  }
}

/** Sends the one case of a name: of a life cycle, of a generator, or one near such a case. */
async function replayed(
  session: Session,
  sender: CaseSender,
  streams: readonly CaseStream[],
  name: string,
): Promise<void> {
  if (await new LongerLives(session, streams, sender).replay(name)) return;
  const [, generator, number = '', changes = ''] = /^(.+):(\d+)((?:~\d+)*)$/.exec(name) ?? [];
  const stream = streams.find((one) => one.generator.name === generator);
  if (stream === undefined) return;
  let one = stream.at(Number(number));
  const turns = [Number(number), ...changes.split('~').slice(1).map(Number)];
  for (const turn of turns.slice(1)) one = one && stream.near(one, turn);
  if (one !== undefined) await sender.send(one, turns.at(-1) ?? 0);
}

function wantedFirst(
  { contract }: Session,
  streams: readonly CaseStream[],
  wanted: ReadonlySet<string>,
): CaseStream[] {
  const isWanted = ({ generator: { plain } }: CaseStream): boolean =>
    wanted.has(contract.find(plain.api, plain.method, plain.path)?.id ?? '');
  return [...streams.filter(isWanted), ...streams.filter((stream) => !isWanted(stream))];
}

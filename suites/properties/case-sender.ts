import { stillMeant } from '../../fixtures/arbitraries/still-meant.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import type { FailureWatch } from '../drive/failures.ts';
import { watchFailures } from '../drive/failures.ts';
import { createRandom } from '../drive/random.ts';
import type { Session } from '../driven-service.ts';
import { RelationChecker } from '../drive/relation-checker.ts';
import { triedOf } from '../drive/as-generated.ts';
import type { Case } from './cases.ts';
import { hashOf } from './hash.ts';
import type { Coverage } from './coverage.ts';
import type { Reach } from './reach.ts';

/** Of the valid requests that others can be compared with, one in this many is. */
const RELATED_EVERY = 2;

/** Cases after which comparisons that moved may be repeated as often as at first. */
const RENEWED_EVERY = 500;

/** Requests that are spent on sending again what failed. */
const MAX_ASKED_AGAIN = 300;

/** Sends cases, each as a request of its own or compared with changed ones, and counts them. */
export class CaseSender {
  cases = 0;
  discarded = 0;
  unsendable = 0;
  readonly seed: number;
  readonly mark: (name: string | undefined) => void;
  readonly #session: Session;
  readonly #failures: FailureWatch;
  #checker: RelationChecker;
  #reach: Reach | undefined;

  constructor(
    session: Session,
    { seed, mark }: { readonly seed: number; readonly mark: CaseSender['mark'] },
  ) {
    this.seed = seed;
    this.mark = mark;
    this.#session = session;
    this.#checker = new RelationChecker(session);
    this.#failures = watchFailures(session, MAX_ASKED_AGAIN);
  }

  /** Lets what is sent from now on count for what a run has reached. */
  countBy(reach: Reach, coverages: readonly Coverage[]): void {
    this.#reach = reach;
    reach.coverages = coverages;
  }

  /** Answers of a kind that was not met before; 0 if nothing is counted. */
  get newKinds(): number {
    return this.#reach?.newKinds ?? 0;
  }

  /**
   * Sends a case, unless its bytes are no longer what they are meant to be.
   *
   * @param turn decides whether others are compared with it, and which
   * @returns whether it was sent
   */
  async send({ name, request }: Case, turn: number): Promise<boolean> {
    if (!stillMeant(this.#session.contract, request)) {
      this.discarded += 1;
      return false;
    }
    this.cases += 1;
    // A comparison that moves now and then must not use up its repetitions for good.
    if (this.cases % RENEWED_EVERY === 0) this.#checker = new RelationChecker(this.#session);
    this.mark(name);
    const tried = triedOf(this.#session, request);
    // Choices of its own, so that a case is the same whatever was sent before it.
    const own = { ...this.#session, random: createRandom(hashOf(name) ^ this.seed) };
    const { service } = own;
    const related = turn % RELATED_EVERY === 1 ? service.relatedTo?.(own, tried, turn) : undefined;
    try {
      if (related === undefined) await this.#session.client.send(tried);
      else await this.#checker.run(related.first, related.others);
      await this.#failures.askAgain();
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      this.unsendable += 1;
      return false;
    }
    this.#reach?.sent();
    return true;
  }
}

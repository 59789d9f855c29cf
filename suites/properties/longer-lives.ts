import type { Lives, Session } from '../driven-service.ts';
import { createRandom } from '../drive/random.ts';
import type { CaseSender } from './case-sender.ts';
import type { CaseStream } from './cases.ts';
import { hashOf } from './hash.ts';

const PREFIX = 'life-cycle:';

/** Sequences of requests of the service at hand, longer and longer; each depends on its number alone. */
export class LongerLives {
  readonly #session: Session;
  readonly #sender: Pick<CaseSender, 'seed' | 'mark'>;
  readonly #lives: Lives | undefined;

  constructor(session: Session, streams: readonly CaseStream[], sender: CaseSender) {
    this.#session = session;
    this.#sender = sender;
    const generators = streams.map(({ generator }) => generator);
    this.#lives = session.service.livesOf?.(session, generators);
  }

  /** Runs the sequence of a number, if it is about an API of the target. */
  async run(number: number): Promise<void> {
    if (this.#lives === undefined || !this.#session.apis.has(this.#lives.apiOf(number))) return;
    const name = `${PREFIX}${number}`;
    const seed = hashOf(name) ^ this.#sender.seed;
    this.#sender.mark(name);
    await this.#lives.run(number, createRandom(seed), seed);
  }

  /** Runs the sequence of a name. @returns whether it is the name of one */
  async replay(name: string): Promise<boolean> {
    if (!name.startsWith(PREFIX)) return false;
    await this.run(Number(name.slice(PREFIX.length)));
    return true;
  }
}

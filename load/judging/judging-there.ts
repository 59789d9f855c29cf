import type { InHand } from '../../contracts/judging/judge.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { given } from '../../contracts/wire/json.ts';
import type { SilenceLimits } from '../../target/budget/silence.ts';
import { type JudgedAnswer, PLAIN } from './answer-judge.ts';
import type { FromJudge, Waiting } from './judge-protocol.ts';
import { type JudgeThread, startJudgeThread } from './judge-thread.ts';
import type { JudgedCounts } from './judged-counts.ts';
import { bytesOf, type Judging, type JudgingWish, type OnJudged } from './judging.ts';

/** Answers in one message: one by one they take three times as long to pass. */
const BATCH = 64;
/** A batch that does not fill is passed after this long. */
const PASSED_AFTER_MS = 20;
/** Answers that may wait to be judged; no more are taken. */
const MAX_WAITING_BYTES = 33_554_432;
/** A thread may be lost at most this often before judging is given up. */
const MAX_THREADS = 3;

/** What judges in a thread of its own, and how that is watched and filled. */
export interface JudgingThereOptions
  extends Pick<JudgingWish, 'live' | 'warmUp'>, Required<Pick<JudgingWish, 'by'>> {
  readonly counts: JudgedCounts;
  readonly onJudged: OnJudged;
  /** The compiled worker; the one beside this file when absent. */
  readonly script?: URL;
  readonly watch?: SilenceLimits;
  readonly mostWaitingBytes?: number;
}

/** Judges in a thread of its own, which can be ended; what it stands still at is left out. */
class JudgingThere implements Judging {
  readonly #options: JudgingThereOptions;
  readonly #onJudged: OnJudged;
  readonly #most: number;
  #thread: JudgeThread | undefined;
  #threads = 0;
  /** Taken and not passed yet. */
  #next: Waiting[] = [];
  /** Passed and not reported, in the order in which they were passed. */
  #passed: Waiting[] = [];
  /** How many of those that were passed to this thread are reported. */
  #reported = 0;
  readonly #answers = new Map<number, JudgedAnswer>();
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #crashes: readonly string[] = [];
  readonly #notices: string[] = [];
  #onIdle: (() => void) | undefined;
  #onReady: (() => void) | undefined;

  constructor(options: JudgingThereOptions) {
    this.#options = options;
    this.#onJudged = options.onJudged;
    this.#most = options.mostWaitingBytes ?? MAX_WAITING_BYTES;
  }

  /** Ends once the thread can judge, or has failed to begin. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onReady = resolve;
      this.#startThread();
    });
  }

  readonly take = (exchange: Exchange, step: number): void => {
    const bytes = bytesOf(exchange);
    if (this.#thread === undefined || this.#waitingBytes + bytes > this.#most) {
      this.#onJudged(exchange, step, undefined);
      return;
    }
    this.#waitingBytes += bytes;
    this.#next.push({ exchange, step });
    if (this.#next.length >= BATCH) this.#pass();
    else
      this.#timer ??= setTimeout(() => {
        this.#pass();
      }, PASSED_AFTER_MS);
  };

  readonly pressure = (): number => this.#waitingBytes / this.#most;

  readonly notices = (): readonly string[] => [
    ...this.#notices,
    ...this.#crashes.map((crash) => `${crash}.`),
  ];

  readonly settle = async (): Promise<void> => {
    this.#pass();
    if (this.#passed.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  };

  readonly end = async (): Promise<void> => {
    await this.settle();
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  };

  #startThread(): void {
    this.#threads += 1;
    this.#reported = 0;
    const { by, live, warmUp = [], counts, script, watch } = this.#options;
    this.#thread = startJudgeThread({
      script: script ?? new URL('./judge-worker.js', import.meta.url),
      data: {
        ...{ ...by, rules: live.map(({ id }) => id), counts: counts.memory, steps: counts.steps },
        // One that begins again is waited for.
        warmUp: this.#threads > 1 ? [] : warmUp,
      },
      ...given({ watch }),
      onMessage: (message) => {
        this.#hear(message);
      },
      onLost: (why, inHand) => {
        this.#lose(why, inHand);
      },
    });
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#next;
    if (batch.length === 0 || this.#thread === undefined) return;
    this.#next = [];
    for (const one of batch) this.#passed.push(one);
    this.#thread.send(batch);
  }

  #hear(message: FromJudge): void {
    if (message.kind === 'ready') this.#onReady?.();
    else if (message.kind === 'reported') this.#answers.set(message.number, message.answer);
    else {
      this.#crashes = message.crashes;
      this.#report(message.count - this.#reported);
      if (this.#passed.length === 0) this.#onIdle?.();
    }
  }

  /** Reports what is known of the first that were passed. */
  #report(count: number): void {
    for (const one of this.#passed.splice(0, count)) {
      this.#forget(one, this.#answers.get(this.#reported) ?? PLAIN);
      this.#answers.delete(this.#reported);
      this.#reported += 1;
    }
  }

  #forget({ exchange, step }: Waiting, answer: JudgedAnswer | undefined): void {
    this.#waitingBytes -= bytesOf(exchange);
    this.#onJudged(exchange, step, answer);
  }

  /** Goes on in another thread without what this one had in hand. */
  #lose(why: string, { exchange: number, rule }: InHand): void {
    const before = number - 1 - this.#reported;
    // What came before it in the same batch was judged, and reported where it broke anything.
    if (before > 0) this.#report(before);
    this.#answers.clear();
    const stuck = before >= 0 ? this.#passed.shift() : undefined;
    if (stuck !== undefined) this.#forget(stuck, undefined);
    const place = rule > 0 ? ` by ${this.#options.live[rule - 1]?.id ?? 'a rule'}` : '';
    const what = stuck === undefined ? '' : ` while it judged ${stuck.exchange.id}${place}`;
    this.#notices.push(`The thread that judges was lost${what}: ${why}.`);
    const again = this.#passed;
    this.#passed = [];
    this.#thread = undefined;
    if (this.#threads < MAX_THREADS) {
      this.#startThread();
      this.#next = [...again, ...this.#next];
      this.#pass();
    } else {
      for (const one of [...again, ...this.#next]) this.#forget(one, undefined);
      this.#next = [];
      this.#notices.push('Judging under load was given up; later answers were not judged.');
      this.#onReady?.();
    }
    if (this.#passed.length === 0) this.#onIdle?.();
  }
}

/**
 * Starts a thread that judges; ends once it is ready, so that its beginning does not disturb the load.
 * What does not fit into its queue is reported as not judged, and holds nobody up.
 */
export async function judgingThere(options: JudgingThereOptions): Promise<Judging> {
  const judging = new JudgingThere(options);
  await judging.start();
  return judging;
}

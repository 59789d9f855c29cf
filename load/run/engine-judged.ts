import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { EngineViolation } from '../load-sink.ts';
import type { JudgedCount } from '../judging/judged-counts.ts';
import type { LiveJudged } from '../judging/live-judge.ts';
import { summed, total } from '../sums.ts';

interface Broken {
  firstStep: number;
  firstExchange: string;
  readonly bySteps: number[];
}

/**
 * Answers that are judged at once, at the most: what is reported of one stands among what is reported
 * of others.
 */
const MAX_AT_ONCE = 20_000;

/** Adds up what an engine reports that judges by itself, and keeps the exchanges that it hands out. */
export class EngineJudged {
  readonly #steps: Record<keyof JudgedCount, number>[];
  readonly #rules = new Map<string, Broken>();
  readonly #keep: (exchange: Exchange) => boolean;
  /** The newest slots that broke something, the oldest first: one answer may break several rules. */
  readonly #newest = new Set<number>();
  /** Ids of kept exchanges by slot; there is one for each rule and step at the most. */
  readonly #ids = new Map<number, string>();
  #all = 0;
  #card = 0;
  #kept = 0;

  constructor(steps: number, keep: (exchange: Exchange) => boolean) {
    this.#steps = Array.from({ length: steps }, () => ({ judged: 0, broken: 0 }));
    this.#keep = keep;
  }

  /** Whether the engine has reported anything. */
  get isAny(): boolean {
    return this.#all + this.#card + this.#rules.size > 0;
  }

  judged(step: number, extent: 'card' | 'all'): void {
    const count = this.#steps[step];
    if (count !== undefined) count.judged += 1;
    if (extent === 'all') this.#all += 1;
    else this.#card += 1;
  }

  /** @returns whether it is the first rule that its answer is known to break */
  violated({ rule, step, slot, exchange }: EngineViolation): boolean {
    const count = this.#steps[step];
    if (count === undefined) return false;
    const isFirst = !this.#newest.has(slot);
    if (isFirst) count.broken += 1;
    this.#newest.add(slot);
    if (this.#newest.size > MAX_AT_ONCE) {
      const [oldest = slot] = this.#newest;
      this.#newest.delete(oldest);
    }
    let broken = this.#rules.get(rule);
    if (broken === undefined) {
      broken = { firstStep: step, firstExchange: '', bySteps: this.#steps.map(() => 0) };
      this.#rules.set(rule, broken);
    }
    broken.bySteps[step] = (broken.bySteps[step] ?? 0) + 1;
    const id = exchange === undefined ? undefined : this.#idOf(slot, exchange);
    if (id !== undefined && (broken.firstExchange === '' || step < broken.firstStep)) {
      broken.firstStep = step;
      broken.firstExchange = id;
    }
    return isFirst;
  }

  /** The id of an exchange in the record, in which it stands once whatever number of rules it breaks. */
  #idOf(slot: number, exchange: Exchange): string | undefined {
    const known = this.#ids.get(slot);
    if (known !== undefined) return known;
    const id = `k${String(this.#kept + 1).padStart(5, '0')}`;
    if (!this.#keep({ ...exchange, id })) return undefined;
    this.#kept += 1;
    this.#ids.set(slot, id);
    return id;
  }

  /** Answers judged and broken so far, over all steps. */
  counts(): JudgedCount {
    return summed(['judged', 'broken'], this.#steps);
  }

  /**
   * What it came to, of so many answers.
   *
   * @param chooses whether the engine judges by itself, so that only it knows why it did not
   */
  result(answers: number, chooses: boolean): LiveJudged {
    const judged = this.#all + this.#card;
    return {
      judged: {
        ...{ answers: judged, of: answers, kept: this.#kept },
        ...(this.#card === 0 ? {} : { byAll: this.#all }),
        ...(chooses ? {} : { leftOut: { asked: answers, late: 0 } }),
      },
      violations: [...this.#rules].map(([rule, { firstStep, firstExchange, bySteps }]) => ({
        ...{ rule, firstStep, firstExchange },
        count: total(bySteps),
        bySteps: bySteps.map((broken, step) => ({
          judged: this.#steps[step]?.judged ?? 0,
          broken,
        })),
      })),
      steps: this.#steps,
      notices: [],
    };
  }
}

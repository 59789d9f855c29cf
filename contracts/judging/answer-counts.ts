import { type ApiName, NODE_API } from '../wire/exchange.ts';
import type { AnswerKind } from './dispatch-table.ts';
import type { View } from './view.ts';

/** Exchanges by what became of them. */
export interface Counts {
  exchanges: number;
  answered: number;
  throttled: number;
  failed: number;
  /** Requests that this machine could not send; absent if there were none. */
  unsent?: number;
  /** Requests to nodes that execute what was built; absent if there were none. */
  nodes?: number;
}

/** What became of an exchange. */
export function kindOf(view: View): AnswerKind {
  if (view.status === 0) return 'failed';
  if (view.throttled) return 'throttled';
  return view.succeeded ? 'success' : 'error';
}

/** How many exchanges there were of each kind, and which APIs answered. */
export class AnswerCounts {
  readonly counts: Counts = { exchanges: 0, answered: 0, throttled: 0, failed: 0 };
  readonly #answeredApis = new Set<ApiName>();
  #whyUnsent: string | undefined;
  readonly #servingApis = new Set<ApiName>();
  readonly #tooLarge = new Map<string, number>();

  /** Counts one more exchange. */
  add(api: ApiName, kind: AnswerKind): void {
    this.counts.exchanges += 1;
    if (api === NODE_API) {
      this.counts.nodes = (this.counts.nodes ?? 0) + 1;
      return;
    }
    if (kind === 'failed') {
      this.counts.failed += 1;
      return;
    }
    this.#answeredApis.add(api);
    if (kind === 'success') this.#servingApis.add(api);
    if (kind === 'throttled') this.counts.throttled += 1;
    else this.counts.answered += 1;
  }

  /** Counts an answer of an operation, one of those that failed, whose body passed the bound of the run. */
  addTooLarge(operation: string): void {
    this.#tooLarge.set(operation, (this.#tooLarge.get(operation) ?? 0) + 1);
  }

  /** How many answers of operations had bodies that passed the bound of the run. */
  tooLargeOf(operations: readonly string[]): number {
    return operations.reduce((sum, id) => sum + (this.#tooLarge.get(id) ?? 0), 0);
  }

  /** Counts one that never reached its target. */
  addUnsent(why: string): void {
    this.counts.exchanges += 1;
    this.counts.unsent = (this.counts.unsent ?? 0) + 1;
    this.#whyUnsent ??= why;
  }

  /** Why the first of those was not sent. */
  get whyUnsent(): string | undefined {
    return this.#whyUnsent;
  }

  /** APIs that gave at least one response. */
  get answeredApis(): ReadonlySet<ApiName> {
    return this.#answeredApis;
  }

  /** APIs that gave at least one successful response. */
  get servingApis(): ReadonlySet<ApiName> {
    return this.#servingApis;
  }
}

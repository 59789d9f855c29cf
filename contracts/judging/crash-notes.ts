import { excerpt } from './excerpt.ts';
import type { Rule } from './rule.ts';

const MAX_CRASHES = 20;
const MAX_CRASH_CHARACTERS = 300;

/** What could not be judged, by whose fault it is; sentences without a full stop, the first few. */
export class CrashNotes {
  /** Of Assay itself. */
  readonly crashes: string[] = [];
  /** Of rules that somebody's configuration brings, by their ids: the first, and at how many exchanges. */
  readonly #own = new Map<string, { readonly crash: string; exchanges: number }>();

  /**
   * Notes that judging failed.
   *
   * @param exchange its id; undefined for all of them together
   * @param rule the one at work, if any was
   * @returns the sentence
   */
  note(exchange: string | undefined, rule: Rule | undefined, error: unknown): string {
    const why = error instanceof Error ? error.message : String(error);
    const what = `${exchange ?? 'all exchanges'}${rule === undefined ? '' : ` by ${rule.id}`}`;
    const crash = `judging ${what} failed: ${excerpt(why, MAX_CRASH_CHARACTERS)}`;
    if (rule?.isOwn === true) this.#noteOwn(rule.id, crash, exchange !== undefined);
    else if (this.crashes.length < MAX_CRASHES && !this.crashes.includes(crash))
      this.crashes.push(crash);
    return crash;
  }

  #noteOwn(rule: string, crash: string, isOfExchange: boolean): void {
    const known = this.#own.get(rule);
    if (known === undefined) this.#own.set(rule, { crash, exchanges: 1 });
    // Asking for results again is no further exchange.
    else if (isOfExchange) known.exchanges += 1;
  }

  /** Of rules that somebody's configuration brings: one sentence for each. */
  get own(): string[] {
    return [...this.#own.values()].map(({ crash, exchanges }) =>
      exchanges === 1
        ? crash
        : `${crash} (and it failed at ${exchanges - 1} more ${exchanges === 2 ? 'exchange' : 'exchanges'})`,
    );
  }
}

import { excerpt } from './excerpt.ts';
import type { Observer } from './ledger.ts';
import { MAX_OBSERVED } from './ledger.ts';
import type { View } from './view.ts';

/** What an observer has seen. */
export class Sighting {
  readonly observer: Observer;
  readonly observed: Set<string> = new Set<string>();

  constructor(observer: Observer) {
    this.observer = observer;
  }

  /** Lets the observer see one more exchange. */
  look(view: View): void {
    if (this.observed.size >= MAX_OBSERVED) return;
    for (const seen of this.observer.observe(view)) {
      this.observed.add(shown(seen));
      if (this.observed.size >= MAX_OBSERVED) return;
    }
  }
}

/** More of one thing is not shown. */
const MAX_CHARACTERS = 500;
/** To cut a text of many pieces takes time that grows with its length. */
const MAX_READ = 10_000;

function shown(seen: string): string {
  if (seen.length <= MAX_CHARACTERS) return seen;
  return seen.length > MAX_READ ? '(a very long text)' : `${excerpt(seen, MAX_CHARACTERS)}…`;
}

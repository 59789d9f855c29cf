import type { Observer } from './ledger.ts';
import { MOST_OBSERVED } from './ledger.ts';
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
    for (const seen of this.observer.observe(view)) {
      if (this.observed.size >= MOST_OBSERVED) return;
      this.observed.add(seen);
    }
  }
}

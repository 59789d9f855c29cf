import type { LimitPanel } from '../../../contracts/run/load/limit-panel.ts';
import { predictedLevels } from './predict.ts';
import { nameOf } from '../bucket.ts';
import type { ProbedBucket } from '../probing.ts';
import { words } from './words.ts';

/** A bucket as the plot shows it, with the model of a class that was identified. */
export function panelOf({ bucket, facts, reported, result }: ProbedBucket): LimitPanel {
  const originMs = reported[0]?.sentMs ?? 0;
  const secondsAt = (atMs: number): number => (atMs - originMs) / 1000;
  // A model that the verdict does not stand for would contradict it.
  const model = facts.estimate.verdict === 'identified' ? result.estimate.classes[0] : undefined;
  return {
    title: nameOf(bucket),
    found: words(facts),
    events: reported.map(({ sentMs, receivedMs, outcome }) => ({
      atSeconds: secondsAt((sentMs + receivedMs) / 2),
      outcome,
    })),
    levels:
      model === undefined
        ? []
        : predictedLevels(model, reported).map(({ atMs, left }) => ({
            atSeconds: secondsAt(atMs),
            left,
          })),
  };
}

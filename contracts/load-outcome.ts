import type { LoadThreshold, RunLoad } from './load-run.ts';

/**
 * What a load run came to, the conformance of its answers apart: all thresholds held · one was broken
 * for certain · its figures do not count.
 */
export type LoadOutcome = 'held' | 'broken' | 'invalid';

/**
 * Whether a broken threshold stays broken where the generator did not keep its schedule: a wrong answer
 * is wrong whenever it was asked for; a latency may be the generator's own.
 */
function isCertain({ expression, measured }: LoadThreshold): boolean {
  return measured !== undefined && expression.startsWith('violations');
}

/** Thresholds that were broken for certain. */
export function brokenThresholds({
  thresholds,
  invalid,
}: Pick<RunLoad, 'thresholds' | 'invalid'>): LoadThreshold[] {
  const broken = thresholds.filter(({ held }) => !held);
  return invalid.length === 0 ? broken : broken.filter(isCertain);
}

/** What a load run came to. */
export function loadOutcome(load: Pick<RunLoad, 'thresholds' | 'invalid'>): LoadOutcome {
  if (brokenThresholds(load).length > 0) return 'broken';
  return load.invalid.length > 0 ? 'invalid' : 'held';
}

import type { RunJson } from '../contracts/run/run.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';
import type { ReportSource } from './source.ts';

/** A run as reports take it, for specs. */
export function sourceOf(
  run: RunJson,
  exchanges: readonly Exchange[] = [],
  name = 'run',
): ReportSource {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return { run, exchanges: byId, leftOut: 0, name };
}

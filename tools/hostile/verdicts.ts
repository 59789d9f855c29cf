import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';

/** The run.json of a record; undefined if there is none that can be read. */
export function runIn(record: string): RunJson | undefined {
  try {
    return JSON.parse(readFileSync(join(record, 'run.json'), 'utf8')) as RunJson;
  } catch {
    return undefined;
  }
}

/** Rules that a run says are broken. */
export function brokenRules(record: string): string[] {
  return (runIn(record)?.rules ?? [])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);
}

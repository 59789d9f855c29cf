import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { environmentOf, ENTRY } from './command.ts';
import type { HostileServer } from './hostile-server-client.ts';
import type { BaseRecord } from './row.ts';

/** Records that many rows begin with, each made when it is first needed. */
export interface BaseRecords {
  /** The folder of a record; it is not to be changed. */
  of(base: BaseRecord): Promise<string>;
}

const QUICK = ['--max-seconds', '30', '--timeout-ms', '2000'];

/** @param hostileServer serves what a record is to find wrong */
export function createBaseRecords(dir: string, hostileServer: HostileServer): BaseRecords {
  const made = new Map<BaseRecord, Promise<string>>();
  const run = async (
    base: BaseRecord,
    exits: readonly number[],
    args: readonly string[],
  ): Promise<string> => {
    const out = join(dir, base);
    mkdirSync(dir, { recursive: true });
    const ended = await runChild({
      command: [process.execPath, ENTRY, ...args, '--out', out],
      cwd: dir,
      env: environmentOf(dir),
      seconds: 120,
      megabytes: 4_000,
    });
    if (ended.exit !== null && exits.includes(ended.exit)) return out;
    throw new Error(
      `the base record "${base}" could not be made: exit ${ended.exit ?? ended.signal ?? '?'}\n${ended.stderr}`,
    );
  };
  const make = async (base: BaseRecord): Promise<string> => {
    switch (base) {
      case 'clean':
        return run(base, [0], ['check', '--seed', '1', ...QUICK]);
      case 'other':
        return run(base, [0], ['check', '--seed', '2', ...QUICK]);
      case 'failing': {
        const { service, urls } = await hostileServer.open({
          spoils: [],
          fault: 'zap-min-return-added',
        });
        try {
          const target = [
            '--zap-url',
            urls.zap,
            '--trade-url',
            urls.trade,
            '--docs-url',
            urls.docs,
          ];
          return await run(base, [1], ['check', '--seed', '1', ...QUICK, ...target]);
        } finally {
          await hostileServer.close(service);
        }
      }
      case 'part':
        // On a busy machine its figures may not count.
        return run(base, [0, 3], ['load', '--segment', '1/2', '--seconds', '2', '--seed', '1']);
      case 'limits':
        // On a busy machine it may not come to an end.
        return run(base, [0, 3], ['limits', '--max-seconds', '60']);
    }
  };
  return {
    of(base) {
      const found = made.get(base) ?? make(base);
      made.set(base, found);
      return found;
    },
  };
}

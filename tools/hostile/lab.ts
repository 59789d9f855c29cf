import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileReport, HostileSpec } from './service/hostile.ts';
import type { BaseRecords } from './base-records.ts';
import { runChild } from './child.ts';
import { environmentOf, ENTRY } from './command.ts';
import type { HostileServer } from './hostile-server-client.ts';
import type { BaseRecord, Ended, Lab, Opened } from './row.ts';

/** What steps that are not measured may take. */
const UNMEASURED = { seconds: 120, megabytes: 4_000 };

/** A lab that closes what was opened in it. */
export interface OpenLab extends Lab {
  close(): Promise<void>;
}

/** The lab of one row, in an empty folder. */
export function createLab(
  dir: string,
  hostileServer: HostileServer,
  bases: BaseRecords,
  slack: number,
): OpenLab {
  mkdirSync(dir, { recursive: true });
  const services: number[] = [];
  const path = (...names: readonly string[]): string => join(dir, ...names);
  const assay = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> =>
    runChild({
      command: [process.execPath, ENTRY, ...args],
      cwd: dir,
      env: environmentOf(dir, env),
      ...UNMEASURED,
    });
  return {
    dir,
    slack,
    path,
    assay,
    file(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
    async open(spec: HostileSpec): Promise<Opened> {
      const { service, urls } = await hostileServer.open(spec);
      services.push(service);
      const flags = (['zap', 'trade', 'docs'] as const).flatMap((api) => [
        `--${api}-url`,
        urls[api],
      ]);
      const report = (): Promise<HostileReport> => hostileServer.report(service);
      return { urls, flags, report, seen: async () => (await report()).seen };
    },
    async copyOf(base: BaseRecord): Promise<string> {
      const copy = path('record');
      cpSync(await bases.of(base), copy, { recursive: true });
      return copy;
    },
    async close() {
      for (const service of services) await hostileServer.close(service);
    },
  };
}

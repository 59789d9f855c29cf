import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBaseRecords } from './base-records.ts';
import { HostileServer } from './hostile-server-client.ts';
import type { Row } from './row.ts';
import { runRow, type RowResult } from './run-row.ts';

/** How rows are run. */
export interface RunOptions {
  /** Rows at once. */
  readonly jobs: number;
  readonly slack: number;
  readonly keep?: boolean;
  /** An entry to run in place of the built command line. */
  readonly entry?: string;
  /** Called with each row as it ends. */
  readonly onResult: (result: RowResult) => void;
}

/** Runs rows, some at once, each in a folder of its own below the system's temporary one. */
export async function runRows(rows: readonly Row[], options: RunOptions): Promise<RowResult[]> {
  const root = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  const { jobs, onResult, keep } = options;
  const basesServer = new HostileServer();
  const bases = createBaseRecords(join(root, 'bases'), basesServer);
  const waiting = rows.map((row, index) => ({ row, dir: join(root, `row-${index}`) }));
  const results: RowResult[] = [];
  try {
    const work = async (): Promise<void> => {
      const hostileServer = new HostileServer();
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const result = await runRow(next.row, next.dir, { ...options, hostileServer, bases });
          results.push(result);
          onResult(result);
        }
      } finally {
        hostileServer.end();
      }
    };
    await Promise.all(Array.from({ length: Math.min(jobs, rows.length) }, work));
    return results;
  } finally {
    basesServer.end();
    if (keep !== true) rmSync(root, { recursive: true, force: true });
  }
}

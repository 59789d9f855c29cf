import { rmSync } from 'node:fs';
import type { BaseRecords } from './base-records.ts';
import { boundsOf } from './bounds.ts';
import { runChild } from './child.ts';
import { complaintsOf } from './complaints.ts';
import type { HostileServer } from './hostile-server-client.ts';
import { environmentOf, ENTRY } from './command.ts';
import { createLab } from './lab.ts';
import { goneSince, stampsOf, writtenSince } from './left-behind.ts';
import type { Row } from './row.ts';

/** What a row came to. */
export interface RowResult {
  readonly name: string;
  readonly command: string;
  /** The exit code, or the signal that ended it; undefined if it was not started. */
  readonly exit: number | string | undefined;
  readonly seconds: number;
  /** Of these, it waited so long for a processor. */
  readonly starvedSeconds: number;
  readonly busySeconds: number;
  readonly boundSeconds: number;
  readonly megabytes: number | undefined;
  /** What was wrong; nothing if all was as it should be. */
  readonly complaints: readonly string[];
}

/** What rows share. */
export interface RowSetting {
  readonly hostileServer: HostileServer;
  readonly bases: BaseRecords;
  /** Bounds on time are multiplied by it. */
  readonly slack: number;
  /** An entry to run in place of the built command line. */
  readonly entry?: string;
  /** Leaves the folder of a row that failed. */
  readonly keep?: boolean;
}

/** Runs one row in a folder of its own, which is removed afterwards. */
export async function runRow(row: Row, dir: string, setting: RowSetting): Promise<RowResult> {
  const { hostileServer, bases, slack, entry = ENTRY } = setting;
  const lab = createLab(dir, hostileServer, bases, slack);
  const { name, command } = row;
  let failed = true;
  try {
    const plan = await row.prepare(lab);
    const bounds = boundsOf(row, plan, slack);
    const before = stampsOf(dir);
    const ended = await runChild({
      command: [process.execPath, entry, ...plan.args],
      cwd: plan.cwd ?? dir,
      env: environmentOf(dir, plan.env),
      stdout: plan.stdout,
      stderr: plan.stderr,
      fileBlocks: plan.fileBlocks,
      openFiles: plan.openFiles,
      apart: plan.apart,
      secondsAfterMark:
        plan.secondsAfterMark === undefined ? undefined : plan.secondsAfterMark * slack,
      record: plan.record ?? undefined,
      during: plan.during,
      ...bounds,
    });
    const written = writtenSince(before, dir);
    const gone = goneSince(before, dir);
    const complaints = await complaintsOf(row, plan, { ended, bounds, written, gone, dir });
    failed = complaints.length > 0;
    return {
      name,
      command,
      exit: ended.exit ?? ended.signal ?? undefined,
      seconds: ended.seconds,
      starvedSeconds: ended.starvedSeconds,
      busySeconds: ended.busySeconds,
      boundSeconds: bounds.seconds,
      megabytes: ended.megabytes,
      complaints,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const complaints = [`the row itself failed: ${why}`];
    return {
      name,
      command,
      exit: undefined,
      seconds: 0,
      starvedSeconds: 0,
      busySeconds: 0,
      boundSeconds: 0,
      megabytes: undefined,
      complaints,
    };
  } finally {
    await lab.close().catch(() => undefined);
    if (!(failed && setting.keep === true)) rmSync(dir, { recursive: true, force: true });
  }
}

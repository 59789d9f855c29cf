import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab, Plan, Row, Running } from '../row.ts';
import type { Spoil } from '../service/hostile.ts';
import { budgetFlags, row } from './kit.ts';

/** What this machine lacks is never a verdict on a target, nor a crash, and says what helps. */
const BLAMES_NOBODY: Pick<Plan, 'never'> = {
  never: ['does not conform', 'unanswered', 'Assay itself failed'],
};
const FILES = /too many open files \(EMFILE\).*`ulimit -n`|`ulimit -n` allows more/;
/** What a record says while it is judged; its page is written last. */
const SEALED = 'The process ended before it had judged the record.';
const SOON = ['--scenario', 'smoke', '--rate', '200', '--seconds', '3'];

/** A machine with much else to do answers late, and that is not what these rows are about. */
function patient(lab: Lab): string[] {
  return budgetFlags(lab, { seconds: 60, timeoutMs: 10_000 });
}

/**
 * So few that little can be checked, and nothing loaded. The embedded service has no more of them, so it leaves
 * requests unanswered.
 */
const FEW_FILES: readonly Row[] = (
  [
    ['check', 64],
    ['check', 80],
    ['load', 48],
  ] as const
).map(([command, openFiles]) =>
  row(
    command,
    `machine: ${openFiles} open files`,
    [3, 4],
    (lab) => ({
      args: [command, '--embedded', '--out', lab.path('out')],
      writes: [lab.path('out')],
      ...{ openFiles, seconds: 40, says: [FILES] },
      never: ['does not conform', 'Assay itself failed'],
    }),
    command === 'load',
  ),
);

/** Enough to begin with, and too few for all connections of a load. */
const SOME_FILES: readonly Row[] = [
  row(
    'load',
    'machine: 256 open files',
    [3],
    async (lab) => {
      const { urls } = await lab.open({ spoils: [{ how: 'late', size: 700 }] });
      const apis = ['--zap-url', urls.zap, '--trade-url', urls.trade];
      return {
        args: ['load', ...apis, ...SOON, '--timeout-ms', '20000', '--out', lab.path('out')],
        record: lab.path('out'),
        ...{ openFiles: 256, seconds: 90, says: [FILES] },
        ...BLAMES_NOBODY,
      };
    },
    true,
  ),
  row('check', 'machine: 256 open files', [0, 3], (lab) => ({
    args: ['check', '--embedded', ...patient(lab), '--out', lab.path('out')],
    record: lab.path('out'),
    openFiles: 256,
    ...BLAMES_NOBODY,
  })),
];

/** A generator that stands still for a while: errors of the service count all the same, and latencies do not. */
function standingStill(what: string, exit: number, says: string | RegExp, spoils: Spoil[]): Row {
  return row(
    'load',
    `machine: a generator that stands still, of a service ${what}`,
    [exit],
    async (lab) => {
      const { urls } = await lab.open({ spoils });
      const apis = ['--zap-url', urls.zap, '--trade-url', urls.trade];
      const thresholds = ['--threshold', 'errors<0.5%', '--threshold', 'p99<400ms'];
      const pace = ['--scenario', 'smoke', '--rate', '50', '--seconds', '8'];
      return {
        args: ['load', ...apis, ...pace, ...thresholds, '--out', lab.path('out')],
        record: lab.path('out'),
        ...{ seconds: 90, says: [says] },
        never: ['Assay itself failed'],
        during: async (running) => {
          await running.printed('sending ');
          await running.sleep(1_000);
          for (let turns = 0; turns < 4; turns += 1) {
            running.kill('SIGSTOP');
            await running.sleep(900);
            running.kill('SIGCONT');
            await running.sleep(600);
          }
        },
      };
    },
    true,
  );
}

const STANDS_STILL: readonly Row[] = [
  standingStill('with errors', 1, /errors<0\.5%/, [
    { how: 'fixed', size: 500, text: '{}', every: 25 },
  ]),
  standingStill('without', 3, 'undecided', []),
];

/** So few ports that those that listen leave next to none for connections. */
function ports(count: number): string {
  return `ip link set lo up; echo 40000 ${40_000 + count - 1} > /proc/sys/net/ipv4/ip_local_port_range`;
}

const USED_UP_PORTS: readonly Row[] = [
  row('load', 'machine: used-up ports', [3], (lab) => ({
    args: ['load', '--embedded', ...SOON, '--out', lab.path('out')],
    record: lab.path('out'),
    apart: ports(8),
    seconds: 60,
    says: [/EADDRNOTAVAIL.*ip_local_port_range/],
    ...BLAMES_NOBODY,
  })),
  row('check', 'machine: used-up ports', [3], (lab) => ({
    args: ['check', '--embedded', ...patient(lab), '--out', lab.path('out')],
    record: lab.path('out'),
    apart: ports(4),
    says: [/EADDRNOTAVAIL.*ip_local_port_range/],
    ...BLAMES_NOBODY,
  })),
];

const FULL_DISK: readonly Row[] = [
  row('check', 'machine: a disk of 1 MB', [4], (lab) => ({
    args: ['check', '--embedded', '--out', lab.path('disk', 'out')],
    // Nobody else sees what is mounted there.
    apart: 'mkdir -p disk && mount -t tmpfs -o size=1m tmpfs disk',
    writes: [lab.path('disk')],
    seconds: 30,
    says: ['the record could not be kept'],
    ...BLAMES_NOBODY,
  })),
];

/** Waits until a record is whole and is being judged, for a while: each file of it was written once by then. */
async function untilSealed(out: string, running: Running): Promise<void> {
  for (let turns = 0; turns < 3_000; turns += 1) {
    if (readFileSync(join(out, 'report.html'), 'utf8').includes(SEALED)) return;
    await running.sleep(5);
  }
}

/** A file of a record that the system does not let be written by the end of the run. */
function refusedAtTheEnd(name: string, says: Plan['says']): Row {
  return row(
    'check',
    `machine: a folder in the place of ${name} at the end`,
    [4],
    async (lab) => {
      const opened = await lab.open({ spoils: [] });
      const out = lab.path('out');
      return {
        args: ['check', ...opened.flags, ...patient(lab), '--out', out],
        writes: [out],
        ...(says === undefined ? {} : { says }),
        during: async (running) => {
          await running.printed(' of 120 requests');
          await untilSealed(out, running);
          rmSync(join(out, name));
          mkdirSync(join(out, name));
        },
      };
    },
    true,
  );
}

const REFUSED_AT_THE_END: readonly Row[] = [
  refusedAtTheEnd('junit.xml', [
    'of 12',
    /the record could not be kept: .*junit\.xml could not be written: it is a folder/,
  ]),
  refusedAtTheEnd('run.json', [/the record could not be kept: .*run\.json could not be written/]),
  refusedAtTheEnd('report.html', [/the HTML report was not made: .*it is a folder/]),
];

/** No more room once the records are read: nothing is wrong with how the report was asked for. */
const NO_ROOM_FOR_A_REPORT: Row = row(
  'report',
  'machine: a full disk, the page of report',
  [4],
  async (lab) => ({
    args: ['report', await lab.copyOf('clean'), '--html', lab.path('page.html')],
    fileBlocks: 16,
    says: [/page\.html could not be written: the system allows no larger file.*`ulimit -f`/],
    ...BLAMES_NOBODY,
    after: () => readdirSync(lab.dir).filter((name) => name.endsWith('.part')),
  }),
  true,
);

/** Whether somebody who is not root may have a network and mounts of his own. */
function canBeApart(): boolean {
  const trial = ['--map-root-user', '--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'];
  return spawnSync('unshare', trial, { stdio: 'ignore' }).status === 0;
}

/** What this machine may lack: files, ports, room on a disk. */
export const MACHINE_ROWS: readonly Row[] = [
  ...FEW_FILES,
  ...SOME_FILES,
  ...STANDS_STILL,
  ...REFUSED_AT_THE_END,
  NO_ROOM_FOR_A_REPORT,
  ...(canBeApart() ? [...USED_UP_PORTS, ...FULL_DISK] : []),
];

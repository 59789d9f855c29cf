import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseRecord, Lab, Row } from '../row.ts';
import { refused, row } from './kit.ts';
import { editJson, EXCHANGES } from './record-kit.ts';

/** The numbers of a device that takes everything, as `mknod` takes them. */
const NULL_DEVICE = ['c', '1', '3'] as const;

/** A device in the row's own folder; a pipe if making one is not allowed. */
function device(lab: Lab): { readonly path: string; readonly isDevice: boolean } {
  const path = lab.path('device');
  try {
    execFileSync('mknod', [path, ...NULL_DEVICE], { stdio: 'ignore' });
    return { path, isDevice: true };
  } catch {
    return { path: pipe(lab), isDevice: false };
  }
}

function pipe(lab: Lab): string {
  const path = lab.path('pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** A run that rests on a record which somebody edited. */
function basis(flag: string, base: BaseRecord, args: readonly string[]): Row {
  return row(
    'load',
    `record: edited, for load ${flag}`,
    [4],
    async (lab) => {
      const dir = await lab.copyOf(base);
      editJson(dir, 'run.json', (run) => (run.seed = 99));
      const out = lab.path('out');
      return {
        args: ['load', '--embedded', ...args, flag, dir, '--seconds', '2', '--out', out],
        writes: [out],
        says: ['run.json', 'not as its run left it'],
        never: ['conforms'],
      };
    },
    true,
  );
}

/** The id of a protocol that the embedded service serves, and that requests name. */
function servedIn(dir: string): string {
  const text = readFileSync(join(dir, EXCHANGES), 'utf8');
  const [, id] = /\\"protocol\\":\\"([a-z]+-[a-z]+)\\"/.exec(text) ?? [];
  if (id === undefined) throw new Error('no pool of a protocol was served');
  return id;
}

/** Devices and pipes that a report is written to, records that others rest on, and a secret that a service serves. */
export const NAMED_PLACE_ROWS: readonly Row[] = [
  row(
    'report',
    'input: --html onto a device',
    [0, 2],
    async (lab) => {
      const { path, isDevice } = device(lab);
      return {
        args: ['report', await lab.copyOf('clean'), '--html', path],
        after: ({ exit }) => [
          ...(exit === (isDevice ? 0 : 2) ? [] : [`it ended with ${exit ?? 'a signal'}`]),
          ...(lstatSync(path).isFile() ? ['a plain file took the place of the device'] : []),
        ],
      };
    },
    true,
  ),
  refused('report', 'input: --html onto a pipe that nobody reads', async (lab) => {
    const path = pipe(lab);
    return {
      args: ['report', await lab.copyOf('clean'), '--html', path],
      says: ['nobody reads it'],
      after: () => (lstatSync(path).isFIFO() ? [] : ['something took the place of the pipe']),
    };
  }),
  basis('--limits', 'limits', ['--below-limit', '0.8']),
  basis('--baseline', 'part', []),
  row(
    'check',
    'secret: the id of a protocol that a correct service serves',
    [3],
    async (lab) => ({
      args: ['check', '--embedded', '--seed', '1', '--max-seconds', '60', '--out', lab.path('out')],
      env: { ASSAY_SECRET_SERVED: servedIn(await lab.copyOf('clean')) },
      record: lab.path('out'),
      never: ['does not conform'],
    }),
    true,
  ),
];

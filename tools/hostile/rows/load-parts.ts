import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab, Plan, Row } from '../row.ts';
import { refused, row } from './kit.ts';
import { editJson, EXCHANGES, type Loose, reseal } from './record-kit.ts';

/** Two parts of one run, of which the second is the first by another number. */
async function twoParts(lab: Lab, change: (load: Loose) => void): Promise<string[]> {
  const first = await lab.copyOf('part');
  const second = `${first}-2`;
  execFileSync('cp', ['-r', first, second]);
  for (const [at, dir] of [first, second].entries()) {
    const forge = (json: Loose): void => {
      const load = json.load as Loose;
      Object.assign(load.part as Loose, { index: at + 1 });
      if (at === 1) change(load);
    };
    // As somebody may who knows how a record is sealed.
    editJson(dir, 'load.json', forge);
    editJson(dir, 'run.json', forge);
    reseal(dir);
  }
  return [first, second];
}

function merged(
  name: string,
  exits: readonly number[],
  change: (load: Loose) => void,
  {
    fast = false,
    says = [],
    megabytes,
  }: Partial<Pick<Row, 'fast'>> & Pick<Plan, 'says' | 'megabytes'> = {},
): Row {
  return row(
    'load',
    `record: merged, ${name}`,
    exits,
    async (lab) => {
      const dirs = await twoParts(lab, change);
      const out = lab.path('out');
      return {
        args: ['load', '--merge', ...dirs, '--out', out],
        writes: [out],
        says,
        ...(megabytes === undefined ? {} : { megabytes }),
      };
    },
    fast,
  );
}

/** Parts of load runs that were altered or made up, and what lies in the folder of a run in a cluster. */
export const LOAD_PART_ROWS: readonly Row[] = [
  merged('as they are', [0, 1, 3], () => undefined),
  merged('of 4,000,000,000 parts', [2], (load) => Object.assign(load.part as Loose, { of: 4e9 }), {
    fast: true,
    says: ['cannot be merged'],
  }),
  merged('a histogram that is none', [4], (load) =>
    Object.assign(load.whole as Loose, { histogram: 'AAAA' }),
  ),
  merged(
    '300,000 moments',
    [4],
    (load) => {
      const [moment = {}] = load.moments as Loose[];
      load.moments = Array.from({ length: 300_000 }, (_, second) => ({ ...moment, second }));
    },
    // Its two files have 45 MB each.
    { megabytes: 600 },
  ),
  row(
    'load',
    'record: merged, an exchange that was altered',
    [4],
    async (lab) => {
      const dirs = await twoParts(lab, () => undefined);
      const file = join(dirs[1] ?? '', EXCHANGES);
      writeFileSync(file, readFileSync(file, 'utf8').replace('"status":200', '"status":201'));
      return { args: ['load', '--merge', ...dirs, '--out', lab.path('out')], says: ['assay: '] };
    },
    true,
  ),
  ...[
    ['nested 1,000,000 deep', '['.repeat(1_000_000)],
    ['of another kind', '{"schemaVersion":1,"parts":4e9}'],
  ].map(([name = '', text = '']) =>
    refused('load', `record: the plan of a cluster, ${name}`, (lab) => {
      const dir = lab.path('cluster');
      mkdirSync(dir);
      writeFileSync(join(dir, 'cluster.json'), text);
      return { args: ['load', '--merge', dir], says: ['is not what assay load --k8s wrote'] };
    }),
  ),
];

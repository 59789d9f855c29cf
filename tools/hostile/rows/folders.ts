import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ended, Lab, Plan, Row } from '../row.ts';
import { check } from './input-kit.ts';
import { row } from './kit.ts';

/** What a planted program does: it leaves a file, and would end the process as if all were well. */
const PLANTED = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./ran', import.meta.url), '');
process.exit(0);
export default { seed: 1 };
`;

/** A record of somebody else, in which a person stands and looks. */
function planted(name: string, args: readonly string[]): Row {
  return row(
    'judge',
    `folder: ${name} in a record that holds a configuration`,
    [0],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      cpSync(dir, lab.path('other'), { recursive: true });
      writeFileSync(join(dir, 'assay.config.mjs'), PLANTED);
      return { cwd: dir, args };
    },
    true,
  );
}

const UNTOUCHED = 'what stood there\n';

/** Links at the names that files have, or had, before they are whole: none may be written through. */
function linked(
  name: string,
  links: readonly string[],
  exits: readonly number[],
  prepare: (lab: Lab, dir: string) => Promise<Plan> | Plan,
): Row {
  return row(
    'judge',
    `folder: links in place of ${name}`,
    exits,
    async (lab) => {
      const victim = lab.file('victim', UNTOUCHED);
      const dir = lab.path('given');
      for (const link of links) {
        mkdirSync(dirname(join(dir, link)), { recursive: true });
        symlinkSync(victim, join(dir, link));
      }
      const plan = await prepare(lab, dir);
      const after = async (ended: Ended): Promise<string[]> => [
        ...((await plan.after?.(ended)) ?? []),
        ...(readFileSync(victim, 'utf8') === UNTOUCHED ? [] : ['wrote through a link']),
      ];
      return { writes: [dir], ...plan, after };
    },
    true,
  );
}

/** A configuration that would decide how Assay ends. */
function deciding(
  name: string,
  exits: readonly (number | null)[],
  code: string,
  args: readonly string[] = [],
): Row {
  return row(
    'check',
    `folder: a configuration that ${name}`,
    exits,
    (lab) => {
      lab.file('assay.config.mjs', code);
      const seconds = String(10 * lab.slack);
      return {
        args: [...check(lab), '--max-requests', '1000', '--max-seconds', seconds, ...args],
        writes: [lab.path('out')],
      };
    },
    true,
  );
}

/** A rule of one's own. */
const ruleThat = (judge: string): string => `export default { rules: [{
  scope: 'exchange', id: 'ours.rule.ends', level: 'should', source: 'ours', protects: 'Nothing.',
  rulesOut: 'Nothing.', api: 'zap', operations: '*', answer: 'any', leastEvidence: 1,
  judge() { ${judge}; return []; },
}] };
`;
const ENDS_THREAD = 'process.exit(0)';
const ONLY = ['--only', 'zap.pools.*,ours.rule.ends'];
const RECORD_LINKS = ['run.json', 'junit.xml', 'findings.ndjson', 'report.html'];

/** A contract of somebody's own, which a record keeps. */
const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'one', version: '1' },
  paths: { '/v1/pools': { get: { responses: { 200: { description: 'pools' } } } } },
});

/** Folders that somebody else made, and configurations that would decide the outcome. */
export const FOLDER_ROWS: readonly Row[] = [
  planted('judge', ['judge', '.']),
  planted('report', ['report', '.', '--markdown', '-']),
  planted('compare', ['compare', '.', join('..', 'other')]),
  planted('history', ['history', '..', '--dry-run', '--keep', '1']),
  planted('rules explain', ['rules', 'explain', 'zap.quote.served']),
  row(
    'verify',
    'folder: verify beside a configuration',
    [0, 1, 3],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      const out = lab.path('release');
      await lab.assay(['report', dir, '--release', '1', '--out', out]);
      lab.file('assay.config.mjs', PLANTED);
      return { args: ['verify', join(out, 'certificate.json'), dir] };
    },
    true,
  ),
  row(
    'judge',
    'folder: a record that holds an Allure',
    [2],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      const home = join(dir, 'node_modules', 'allure');
      mkdirSync(home, { recursive: true });
      const manifest = { name: 'allure', version: '3.18.0', bin: './cli.mjs' };
      writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(home, 'cli.mjs'), PLANTED);
      return { cwd: dir, args: ['report', '.', '--allure-page', 'a.html'], says: ['not on PATH'] };
    },
    true,
  ),
  linked(
    'parts of a report',
    ['.a.html.part', 'a.html.part', '.a.md.part'],
    [0],
    async (lab, dir) => ({
      args: [
        ...['report', await lab.copyOf('clean')],
        ...['--html', join(dir, 'a.html'), '--markdown', join(dir, 'a.md')],
      ],
    }),
  ),
  linked(
    'parts of a certificate',
    ['certificate.json.part', 'release.md.part'],
    [0, 1, 3],
    async (lab, dir) => ({
      args: ['report', await lab.copyOf('clean'), '--release', '1', '--out', dir],
    }),
  ),
  linked(
    'parts of a record',
    [...RECORD_LINKS.map((name) => `${name}.part`), 'contracts.json', 'counterexamples.ndjson'],
    [3, 4],
    (lab, dir) => ({
      args: [...check(lab), '--out', dir, '--contract', lab.file('c.json', CONTRACT)],
    }),
  ),
  linked('files of a record', ['junit.xml', 'findings.ndjson'], [3], (lab, dir) => ({
    args: [...check(lab), '--out', dir],
  })),
  linked('the acceptance of a history', ['accepted.ndjson'], [4], async (lab, dir) => {
    cpSync(await lab.copyOf('clean'), join(dir, 'night'), { recursive: true });
    return { args: ['history', dir, '--accept', 'as it is now'], says: ['it is a link'] };
  }),
  deciding(
    'ends its process when it is read',
    [2],
    'process.exit(0);\nexport default { seed: 1 };\n',
  ),
  deciding(
    'ends its process a second later, and has a word when it ends',
    [3],
    `setTimeout(() => process.exit(0), 1000);
process.on('exit', () => { process.exitCode = 0; });
export default { zapUrl: 'http://127.0.0.1:1' };
`,
  ),
  deciding('never ends', [2], 'for (;;);\n'),
  deciding(
    'throws a second later',
    [3, 4],
    `setTimeout(() => { throw new Error('late'); }, 1000);\n${ruleThat('')}`,
    ONLY,
  ),
  deciding('has a rule that ends its process', [3, 4], ruleThat(ENDS_THREAD), ONLY),
  deciding(
    'kills its process',
    [null],
    "process.kill(process.pid, 'SIGKILL');\nexport default { seed: 1 };\n",
  ),
  deciding(
    'has a generator that ends its process',
    [2, 3, 4],
    `export default { generators: [{ scope: 'generator', name: 'ours.ends', api: 'zap', choices: { one: [1] },
  request() { ${ENDS_THREAD}; } }] };
`,
    ['--only', 'zap.pools.*'],
  ),
];

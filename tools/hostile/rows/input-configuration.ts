import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { BODIES } from '../service/bodies.ts';
import type { Plan, Row } from '../row.ts';
import { check } from './input-kit.ts';
import { refused, row } from './kit.ts';

const ESC = 'a\u001b[2J\u202eb\n::error::c';
const made =
  (body: string, size: number): (() => string | Buffer) =>
  () =>
    BODIES[body]?.(size) ?? '';

/** A configuration file that cannot be used. */
function config(
  name: string,
  content: string | (() => string | Buffer),
  {
    file = 'assay.config.yaml',
    fast = false,
    exits = [2],
    plan = {},
  }: {
    readonly file?: string;
    readonly fast?: boolean;
    readonly exits?: readonly number[];
    readonly plan?: Partial<Plan>;
  } = {},
): Row {
  return row(
    'check',
    `input: a configuration ${name}`,
    exits,
    (lab) => {
      lab.file(file, typeof content === 'string' ? content : content());
      return { args: check(lab, '--max-requests', '1'), record: lab.path('out'), ...plan };
    },
    fast,
  );
}

/** Configuration files that cannot be used, or should not be. */
export const INPUT_CONFIGURATION_ROWS: readonly Row[] = [
  config('with a level for a rule that is none', 'levels: { nope: should }\n', { fast: true }),
  config('with a level that is none', 'levels: { zap: low }\n'),
  config('with control sequences', `zapUrl: "${JSON.stringify(ESC).slice(1, -1)}"\n`, {
    fast: true,
  }),
  config('with an unknown key of control sequences', `"a\\e[2J\\u202eb": 1\n`, { fast: true }),
  config('that is no YAML, with control sequences', 'zapUrl: [\u001b[2J'),
  config('nested 100,000 deep', made('yaml-deep-flow', 100_000), { fast: true }),
  config('that is an alias bomb', made('yaml-alias-bomb', 9), { fast: true }),
  config('with 60,000 merge keys', made('yaml-merge-keys', 60_000)),
  config('with a function', made('yaml-function', 1)),
  config('of 100 MB', () => Buffer.alloc(100_000_000, '#'), { exits: [2, 3] }),
  config('of JSON nested 1,000,000 deep', '['.repeat(1_000_000), { file: 'assay.config.json' }),
  config('of JSON that is null', 'null', { file: 'assay.config.json', exits: [2, 3] }),
  config(
    'with keys of the engine',
    '{"__proto__":{"zapUrl":"http://127.0.0.1:1"},"constructor":1}',
    { file: 'assay.config.json' },
  ),
  config('with a secret in it', 'tradeKey: a-key-Of-somebody9\n', {
    fast: true,
    plan: { hidden: { key: 'a-key-Of-somebody9' } },
  }),
  config(
    'with waivers of hostile texts',
    `waivers:\n  - rule: "zap.pools.within-limit"\n    reason: "\\e[2J]]><x>"\n    owner: "::error::x"\n    expires: 2099-01-01\n`,
    { exits: [3], plan: {} },
  ),
  config('that throws', "throw new Error('\\u001b[2J boom');\n", { file: 'assay.config.mjs' }),
  // Those that call process.exit are among the rows of folders.
  config(
    'that ends itself',
    "process.kill(process.pid, 'SIGTERM'); await new Promise(() => {});\nexport default { seed: 1 };\n",
    {
      ...{ file: 'assay.config.mjs', exits: [4], fast: true },
      plan: { says: [/before (?:it|the command) was through/], never: ['conform'], record: null },
    },
  ),
  refused('check', 'input: a configuration that is a FIFO', (lab) => {
    execFileSync('mkfifo', [lab.path('fifo.yaml')]);
    return { args: check(lab, '--config', 'fifo.yaml') };
  }),
  refused('check', 'input: a configuration that is a device', (lab) => {
    execFileSync('ln', ['-s', '/dev/zero', lab.path('zero.yaml')]);
    return { args: check(lab, '--config', 'zero.yaml') };
  }),
  refused(
    'check',
    'input: a configuration that is a folder',
    (lab) => {
      mkdirSync(lab.path('dir.yaml'));
      return { args: check(lab, '--config', 'dir.yaml') };
    },
    false,
  ),
];

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, scratch } from './command-line.ts';
import { packed, run } from './packed-install.testkit.ts';

const folder = scratch();
const ENTRY = join(ROOT, 'dist', 'cli', 'main.js');
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

/** The exit code and the last line of what a command said. */
function ended(args: readonly string[]): readonly [number | null, string] {
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return [status, stderr.trim()];
}

describe('an engine that Assay does not run on gets that message, and nothing else', () => {
  test.each([
    [{ node: '18.20.8' }, 'Node 18.20.8'],
    [{ node: '20.18.3' }, 'Node 20.18.3'],
    [{ node: '24.3.0', bun: '1.4.5' }, 'Bun 1.4.5'],
    [{ node: '24.2.0', deno: '2.9.6' }, 'Deno 2.9.6'],
  ])('%j', (versions, name) => {
    const file = `${folder()}.cjs`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(versions)} });`,
    );
    const said = `assay: needs Node >= 20.19; this is ${name}.`;
    expect(ended(['--require', file, ENTRY, 'check', '--embedded'])).toEqual([4, said]);
  });

  test('by the same version as package.json has it', () => {
    const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
    expect((JSON.parse(text) as { engines: unknown }).engines).toEqual({ node: '>=20.19' });
  });
});

describe('an install that is not whole', () => {
  let home: string;

  beforeAll(async () => {
    const { tarball } = await packed();
    home = folder();
    mkdirSync(home, { recursive: true });
    run('tar', ['-xzf', tarball, '-C', home], ROOT);
    symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  });

  const entryOf = (): string => join(home, 'package', 'dist', 'cli', 'main.js');

  test('is none as it was packed', () => {
    expect(ended([entryOf(), '--version'])).toEqual([0, '']);
  });

  test.each([
    'dist/cli/task-worker.js',
    'dist/reports/page.html',
    'contracts/service/openapi/trade.yaml',
    'dist/packed-files.json',
  ])('says that %s is missing', (name) => {
    const file = join(home, 'package', name);
    const there = readFileSync(file);
    rmSync(file);
    const said = `assay: the install is not whole: ${name} is missing. Install Assay again.`;
    expect(ended([entryOf(), 'check', '--embedded'])).toEqual([4, said]);
    writeFileSync(file, there);
  });

  test('says which package is missing', () => {
    const alone = join(home, 'alone');
    mkdirSync(alone);
    run('cp', ['-r', join(home, 'package'), alone], ROOT);
    mkdirSync(join(alone, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== 'jiti')
        symlinkSync(join(ROOT, 'node_modules', name), join(alone, 'node_modules', name));
    }
    rmSync(join(home, 'node_modules'));
    const [code, said] = ended([join(alone, 'package', 'dist', 'cli', 'main.js'), 'check']);
    expect([code, said]).toEqual([4, expect.stringContaining('jiti is missing') as string]);
  });
});

test('an old Node reads the launcher, in which nothing is newer than its syntax', () => {
  const text = readFileSync(join(ROOT, 'dist', 'cli', 'main.js'), 'utf8');
  const writtenFor = (target: string): string => transformSync(text, { target }).code;
  expect(writtenFor('node12.22')).toBe(writtenFor('esnext'));
  // What it imports before it looked at the engine would be read first.
  expect(text).not.toMatch(/^(?:import|export) /m);
});

test.each([40, 64, 80])('with %i open files it says what helps', (most) => {
  const script = `ulimit -n ${most}; exec "$0" "$1" check --embedded`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', script, process.execPath, join(ROOT, 'dist', 'cli', 'main.js')],
    { encoding: 'utf8' },
  );
  // Whether a run begins depends on how many files Node itself has open.
  expect([3, 4]).toContain(status);
  expect(stdout + stderr).toMatch(/ulimit -n/);
});

const NAMESPACES = ['--map-root-user', '--pid', '--fork', '--kill-child'];
const canBeFirst = spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;

test.skipIf(!canBeFirst)(
  'the first process of a container is ended by SIGTERM before its command listens',
  async () => {
    const cwd = folder();
    mkdirSync(cwd, { recursive: true });
    const config =
      "process.stderr.write('is read\\n'); await new Promise((r) => setTimeout(r, 2e4));";
    writeFileSync(join(cwd, 'assay.config.mjs'), `${config}\nexport default { seed: 1 };\n`);
    const args = [...NAMESPACES, process.execPath, ENTRY, 'check', '--embedded'];
    const child = spawn('unshare', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const code = new Promise((resolve) => child.once('close', resolve));
    while (!said.includes('is read')) await wait(20);
    const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    process.kill(Number(pid), 'SIGTERM');
    expect(await code).toBe(4);
    expect(said).toContain('SIGTERM ended the command before it was through.');
  },
);

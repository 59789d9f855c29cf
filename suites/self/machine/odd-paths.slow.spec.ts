import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runOf, scratch } from '../command-line.ts';
import { installed } from '../packed-install.testkit.ts';

const folder = scratch();

/** What URLs, shells, or patterns of paths take for something else; below a folder with a backslash Node loads nothing. */
const PIECES = [
  ...['~', '#', '?', '%20', '%41', '%zz', '%', ' ', "'", '"', '&', ';', '$HOME', '[a]', '{b}', '*'],
  ...['é', '漢字', '😀', '+', '@', ':', '=', '^', '!', 'RUNNER~1', 'com~apple~CloudDocs'],
];

/** A folder below one of that name, with the package installed as npm does, a configuration and a contract. */
async function projectIn(name: string): Promise<string> {
  const home = join(folder(), name, 'project');
  const [shared, own] = [join(await installed(), 'node_modules'), join(home, 'node_modules')];
  cpSync(join(shared, 'assay'), join(own, 'assay'), { recursive: true });
  for (const name of readdirSync(shared)) {
    // What it needs is the same for all.
    if (name !== 'assay') symlinkSync(join(shared, name), join(own, name));
  }
  const contract = join(own, 'assay', 'contracts', 'service', 'openapi');
  cpSync(contract, join(home, 'contract'), { recursive: true });
  writeFileSync(
    join(home, 'assay.config.ts'),
    "import { defineConfig } from 'assay';\nimport { path } from './label.ts';\nexport default defineConfig({ labels: { path } });",
  );
  mkdirSync(join(home, 'records'));
  writeFileSync(join(home, 'label.ts'), "export const path: string = 'odd';");
  return home;
}

/** The exit code of a command of the package in a folder, and what it said. */
function ended(home: string, args: readonly string[]): readonly [number | null, string] {
  const entry = join(home, 'node_modules', 'assay', 'dist', 'cli', 'main.js');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args, '--quiet'], {
    ...{ cwd: home, env, encoding: 'utf8' },
  });
  return [status, `${stdout}${stderr}`];
}

test('check, judge and load run below any folder, with a configuration in TypeScript and a contract', async () => {
  const names = fc
    .shuffledSubarray(PIECES, { minLength: 1, maxLength: 12 })
    .map((pieces) => pieces.join('a'));
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const home = await projectIn(name);
      const [check, load] = ['records/a ~ #%41', 'records/load'];
      const asked = ['--embedded', '--contract', 'zap=contract/zap.yaml'];
      const only = ['--only', 'docs,zap.chains', '--max-requests', '60'];
      const [checked, said] = ended(home, ['check', ...asked, ...only, '--out', check]);
      const run = runOf(join(home, check));
      expect([run.failure, run.labels], said).toEqual([undefined, { path: 'odd' }]);
      const zap = run.rules.filter(({ api }) => api === 'zap');
      expect(zap.some(({ verdict }) => verdict === 'pass')).toBe(true);
      // The same verdicts from the record.
      expect(ended(home, ['judge', check])).toEqual([checked, said]);
      const smoke = ['--scenario', 'smoke', '--seconds', '1'];
      const [loaded, output] = ended(home, ['load', ...asked, ...smoke, '--out', load]);
      // On a busy machine its times do not count.
      expect([0, 3], output).toContain(loaded);
      expect(runOf(join(home, load)).load?.whole.counts.failed, output).toBe(0);
    }),
    { numRuns: 3, examples: [[PIECES.join('')]], endOnFailure: true },
  );
});

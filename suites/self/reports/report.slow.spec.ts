import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assay, scratch } from '../command-line.ts';

const folder = scratch();
let dir: string;

beforeAll(async () => {
  dir = folder();
  await assay(['check', '--embedded', '--max-requests', '20', '--quiet', '--out', dir]);
});

describe.concurrent('reports on a record', () => {
  test('are written in the formats that are asked for, whatever the run came to', async () => {
    const file = `${folder()}.xml`;
    const { code, stdout } = await assay(['report', dir, '--markdown', '-', '--junit', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## \? undecided: .* \(partial: the run did not come to its end\)\n/);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(dir, 'junit.xml'), 'utf8'));
  });

  test('of a record that was altered are none', async () => {
    const altered = folder();
    cpSync(dir, altered, { recursive: true });
    const file = join(altered, 'exchanges.ndjson');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"status":200', '"status":201'));
    const { code, stdout, said } = await assay(['report', dir, altered, '--markdown', '-']);
    expect([code, stdout]).toEqual([4, '']);
    expect(said).toContain('exchanges.ndjson, line ');
  });

  test('never take the place of what a run recorded', async () => {
    const before = readFileSync(join(dir, 'run.json'), 'utf8');
    const { code, said } = await assay(['report', dir, '--junit', join(dir, 'run.json')]);
    expect(code).toBe(2);
    expect(said).toContain('would take the place of what the run left there');
    expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(before);
  });

  test('that cannot be written are wrong use', async () => {
    const { code, said } = await assay([
      'report',
      dir,
      '--junit',
      join(folder(), 'no', 'junit.xml'),
    ]);
    expect(code).toBe(2);
    expect(said).toContain('cannot be written: it is not there. Name a file in a folder');
  });

  test('under GitHub Actions come by themselves, beside what standard output is for', async () => {
    const summary = `${folder()}.md`;
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stdout, stderr } = await assay(['judge', dir, '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'undecided' });
    expect(stderr).toMatch(/^::error title=assay\.undecided::undecided: /m);
    expect(readFileSync(summary, 'utf8')).toMatch(/^## \? undecided/);
    rmSync(summary);
    const quiet = await assay(['judge', dir, '--no-annotations'], { env });
    expect(quiet.stderr).not.toContain('::error');
    expect(existsSync(summary)).toBe(false);
  });
});

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunComparison } from '../../../contracts/run/run-comparison.ts';
import { assay, runOf, scratch, serve } from '../command-line.ts';

const folder = scratch();
let before: string;
let after: string;
let again: string;
let targets: readonly string[];

/** A record of some rules of the zap API alone, which a check drives in seconds. */
async function checked(
  checkArguments: readonly string[],
  more: readonly string[] = [],
  only = 'zap.path.*,zap.chains.*',
): Promise<string> {
  const dir = folder();
  const zap = checkArguments.slice(
    checkArguments.indexOf('--zap-url'),
    checkArguments.indexOf('--zap-url') + 2,
  );
  await assay(['check', ...zap, '--seed', '7', '--quiet', '--only', only, '--out', dir, ...more]);
  return dir;
}

beforeAll(async () => {
  ({ targets } = await serve([]));
  const faulty = await serve(['--fault', 'zap-dust-unmarked']);
  before = await checked(targets);
  again = await checked(targets, ['--baseline', before]);
  after = await checked(faulty.targets, ['--baseline', before]);
});

const MARKS = ['zap.build-tx', 'zap.quote'].map((operation) => ['zap.path.dust-mark', operation]);

describe('a run against its baseline', () => {
  test('is as it was where the service is, and so are the two records', async () => {
    expect(runOf(again).baseline).toMatchObject({ verdict: 'same', reservations: [] });
    const { code, said } = await assay(['compare', before, again]);
    expect([code, said]).toEqual([0, expect.stringContaining('no difference that a client')]);
  });

  test('states what a fault changed: the finding, and the field that is gone', async () => {
    const { baseline, outcome } = runOf(after);
    expect(outcome).toBe('does-not-conform');
    const fresh = baseline?.findings.fresh.rows.map(({ rule, operation }) => [rule, operation]);
    expect(fresh?.toSorted()).toEqual(MARKS);
    const certain = baseline?.answers?.changes.filter(({ grade }) => grade === 'certain');
    expect(new Set(certain?.map(({ what }) => what))).toEqual(
      new Set(['/data/path/*/dust/*/dust']),
    );
    const { code, said } = await assay(['compare', before, after]);
    expect([code, said]).toEqual([1, expect.stringContaining('✗ zap.path.dust-mark')]);
  });

  test('states the other way round what is fixed', async () => {
    const { code, stdout } = await assay(['compare', after, before, '--json']);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as RunComparison;
    const fixed = findings.fixed.rows.map(({ rule, operation }) => [rule, operation]);
    expect([fixed.toSorted(), findings.fresh.rows]).toEqual([MARKS, []]);
  });

  test('is in SARIF and in Markdown', async () => {
    const args = ['report', after, '--baseline', before, '--sarif'];
    const { stdout } = await assay([...args, '-']);
    expect(stdout).toContain('"baselineState": "new"');
    const { stdout: text } = await assay([
      'report',
      after,
      '--baseline',
      before,
      '--markdown',
      '-',
    ]);
    expect(text).toContain('### Against the baseline');
  });

  test('is refused before anything is sent if there is none, and named if it was altered', async () => {
    const args = ['check', ...targets, '--quiet', '--out', folder(), '--baseline'];
    const none = await assay([...args, folder()]);
    expect([none.code, none.said]).toEqual([2, expect.stringContaining('holds no run record')]);
    const altered = folder();
    cpSync(before, altered, { recursive: true });
    const file = join(altered, 'exchanges.ndjson');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"status":200', '"status":201'));
    const { code, said } = await assay(['compare', altered, after]);
    expect([code, said]).toEqual([4, expect.stringContaining('exchanges.ndjson, line')]);
    const report = await assay(['report', after, '--baseline', altered, '--markdown', '-']);
    expect([report.code, report.stdout]).toEqual([4, '']);
  });

  test('says little if the same was not asked', async () => {
    const { code, said } = await assay([
      'compare',
      before,
      await checked(targets, [], 'zap.pools.*'),
    ]);
    expect([code, said]).toEqual([3, expect.stringContaining('The choice of rules is')]);
  });

  test('is not itself, and no part of a release', async () => {
    const released = await assay(['report', after, '--baseline', before, '--release', '1']);
    expect([released.code, released.said]).toEqual([
      2,
      expect.stringContaining('--baseline does not'),
    ]);
    expect(await assay(['compare', before, before])).toMatchObject({ code: 2 });
  });
});

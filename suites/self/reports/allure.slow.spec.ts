import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import { describe, expect, test } from 'vitest';
import { assay, runOf, scratch, serve, start, untilRecorded } from '../command-line.ts';

const folder = scratch();
const KEY = 'key-0f6d2b71c4';
const FAULT = 'zap-min-return-added';
const RULE = 'zap.path.min-return-within-amount';

function resultsOf(dir: string): TestResult[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as TestResult);
}

/** What of results is the verdicts': neither names of files nor times. */
function reportedBy(dir: string): unknown[] {
  const reported = resultsOf(dir).map((result) => ({
    ...result,
    ...{ uuid: '', start: 0, stop: 0 },
    attachments: result.attachments.map(({ name, source }) => [
      name,
      readFileSync(join(dir, source), 'utf8'),
    ]),
  }));
  return reported.sort((a, b) => String(a.name).localeCompare(String(b.name)));
}

describe('results of a check for Allure', () => {
  test('are those of its record: what is broken, what is waived, and no secret', async () => {
    const { targets } = await serve(['--fault', FAULT], { env: { ASSAY_SERVE_KEYS: KEY } });
    const [out, byCheck, byReport, waived] = [folder(), folder(), folder(), folder()];
    const env = { ASSAY_TRADE_KEY: KEY };
    const flags = ['--only', 'zap.path.*,trade', '--quiet', ...targets];
    const broken = await assay(['check', ...flags, '--out', out, '--allure', byCheck], { env });
    expect(broken.code).toBe(1);
    expect((await assay(['report', out, '--allure', byReport])).code).toBe(0);
    // One by the reporter of the test runner, one from the record alone.
    expect(reportedBy(byCheck)).toEqual(reportedBy(byReport));
    const reported = resultsOf(byCheck);
    expect(reported).toHaveLength(runOf(out).rules.length + 1);
    const [one] = reported.filter(({ name }) => name === RULE);
    expect(one?.status).toBe('failed');
    expect(one?.attachments.map(({ name }) => name)).toEqual([
      ...['curl', 'replay', 'request', 'response'],
    ]);
    for (const name of readdirSync(byCheck)) {
      expect(readFileSync(join(byCheck, name), 'utf8').includes(KEY)).toBe(false);
    }
    const config = `${out}.json`;
    const waiver = { rule: RULE, reason: 'known', owner: 'zap team', expires: '2999-01-01' };
    writeFileSync(config, JSON.stringify({ waivers: [waiver] }));
    await assay(['check', ...flags, '--config', config, '--allure', waived, '--out', folder()], {
      env,
    });
    const [accepted] = resultsOf(waived).filter(({ name }) => name === RULE);
    expect([accepted?.status, accepted?.statusDetails.message]).toEqual([
      'skipped',
      'waived: known (zap team, until 2999-01-01)',
    ]);
    expect(accepted?.labels).toContainEqual({ name: 'owner', value: 'zap team' });
  });

  test('come to no folder that holds something, which is said before anything is sent', async () => {
    const [out, dir] = [folder(), folder()];
    const flags = ['check', '--embedded', '--out'];
    const both = await assay([...flags, out, '--allure', out]);
    expect([both.code, both.said]).toEqual([2, expect.stringContaining('name the same folder')]);
    mkdirSync(dir);
    writeFileSync(join(dir, 'x-result.json'), '{}');
    const full = await assay([...flags, out, '--allure', dir]);
    expect([full.code, full.said]).toEqual([2, expect.stringContaining('holds x-result.json')]);
    expect(existsSync(out)).toBe(false);
  });

  test('are there of a run that was interrupted, each rule once', async () => {
    const { targets } = await serve();
    const [out, dir] = [folder(), folder()];
    const flags = ['--profile', 'nightly', '--max-rate', '5', ...targets];
    const run = start(['check', ...flags, '--out', out, '--allure', dir]);
    await untilRecorded(out, 3);
    run.process.kill('SIGINT');
    await run.ended;
    const names = resultsOf(dir).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(runOf(out).rules.length + 1);
    const [whole] = resultsOf(dir).filter(({ name }) => name === 'assay.run');
    expect(whole?.status).toBe('broken');
  });
});

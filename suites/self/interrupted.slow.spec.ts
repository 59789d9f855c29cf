import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PageRun } from '../../reports/html/html-data.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import {
  assay,
  exchangesOf,
  runOf,
  scratch,
  start,
  untilRecorded,
  verdictsOf,
  type Running,
} from './command-line.ts';
import { misbehave } from './misbehaving-server.ts';

const folder = scratch();

/** A check that is slow enough to meet it half-way. */
function slowCheck(dir: string, ...args: string[]): Running {
  return start(['check', '--max-rate', '20', '--out', dir, ...args]);
}

/** The run that the page of a record shows. */
function pageOf(dir: string): PageRun | undefined {
  return dataOf(readFileSync(join(dir, 'report.html'), 'utf8')).runs[0];
}

describe('an interrupted run', () => {
  test('is judged as far as it came, and undecided', async () => {
    const dir = folder();
    const check = slowCheck(dir);
    await untilRecorded(dir, 5);
    check.process.kill('SIGINT');
    const { code, stderr, said } = await check.ended;
    expect(code).toBe(3);
    expect(stderr).toContain('Interrupted: judging what was recorded.');
    expect(said).toContain('undecided');
    const run = runOf(dir);
    expect(run).toMatchObject({ complete: false, outcome: 'undecided' });
    expect(run.notices).toEqual(['The run was interrupted; what it had recorded was judged.']);
    expect(run.counts.exchanges).toBeGreaterThanOrEqual(5);
    expect(run.counts.exchanges).toBeLessThan(100);
    expect(verdictsOf(run)['docs.openapi.served']).toBe('pass');
  });

  test('does not conform when a promise was broken before', async () => {
    const dir = folder();
    const check = slowCheck(dir, '--zap-url', await misbehave('empty-object'));
    await untilRecorded(dir, 5);
    check.process.kill('SIGTERM');
    expect((await check.ended).code).toBe(1);
    expect(runOf(dir)).toMatchObject({ complete: false, outcome: 'does-not-conform' });
  });
});

describe('a killed run', () => {
  test('leaves a record that says so and can be judged', async () => {
    const [dir, again] = [folder(), folder()];
    const check = slowCheck(dir);
    await untilRecorded(dir, 5);
    check.process.kill('SIGKILL');
    expect((await check.ended).code).toBeNull();

    expect(runOf(dir)).toMatchObject({
      complete: false,
      outcome: 'undecided',
      notices: ['The run did not come to its end.'],
    });
    expect(pageOf(dir)?.run).toEqual(runOf(dir));
    const left = exchangesOf(dir).length;
    expect(left).toBeGreaterThanOrEqual(5);
    const { code, said } = await assay(['judge', dir, '--out', again]);
    expect(code).toBe(3);
    expect(said).toContain('The run did not come to its end.');
    expect(runOf(again).counts.exchanges).toBe(left);
    expect(pageOf(again)?.run).toEqual(runOf(again));
    expect(verdictsOf(runOf(again))['docs.openapi.served']).toBe('pass');
  });

  test('may leave a torn last line, which is reported', async () => {
    const [dir, again] = [folder(), folder()];
    const check = slowCheck(dir);
    await untilRecorded(dir, 8);
    check.process.kill('SIGKILL');
    await check.ended;
    const left = exchangesOf(dir).length;
    appendFileSync(join(dir, 'exchanges.ndjson'), '{"id":"x00009","api":"zap","purp');
    const { said } = await assay(['judge', dir, '--out', again]);
    expect(said).toContain('The last exchange of the record is torn and was left out.');
    expect(runOf(again).counts.exchanges).toBe(left);
  });
});

describe('judging again', () => {
  test('gives the same verdicts, with no service there', async () => {
    const [dir, again] = [folder(), folder()];
    const checked = await assay(['check', '--out', dir]);
    expect(checked.code, checked.said).toBe(0);
    const { code, stdout } = await assay(['judge', dir, '--out', again]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ conforms: /m);
    // All but the time and place are as they were.
    expect(runOf(again)).toEqual(runOf(dir));
  });

  test('gives the exit code of a run that does not conform', async () => {
    const dir = folder();
    await assay(['check', '--zap-url', await misbehave('empty-object'), '--out', dir]);
    expect((await assay(['judge', dir])).code).toBe(1);
  });
});

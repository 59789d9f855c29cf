import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { writeEarlierRecord } from '../../fixtures/records/earlier-records.testkit.ts';
import { CHECK, editRun, type Loose, resealed } from './edited-record.testkit.ts';
import { judgeAgainTask } from './judge.ts';
import { recordRun } from './recorded-run.testkit.ts';
import { releaseRunTask } from './release/release-run.ts';

const watched = { inHand: new Int32Array(2) };
const common = { leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-lines-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

async function again(): Promise<RunJson> {
  const config = { contracts: [], allowRefs: [] };
  const input = { dir, config, waivers: 'of its run', ...common } as const;
  return (await judgeAgainTask(input, watched)).run;
}

describe('lines whose chain was recomputed are held to each other', () => {
  test.each<[string, (lines: Loose[]) => Loose[], RegExp]>([
    ['nothing else', (lines) => lines, /^$/],
    [
      'an exchange with another host',
      (lines) =>
        lines.map((line, at) =>
          at === 2
            ? {
                ...line,
                request: {
                  ...(line.request as object),
                  url: 'https://zap.example/v1/config/providers',
                },
              }
            : line,
        ),
      /x00002, which went to https:\/\/zap\.example/,
    ],
    [
      'a host that begins like that of the target',
      (lines) =>
        lines.map((line, at) =>
          at === 2
            ? {
                ...line,
                request: { ...(line.request as object), url: 'http://127.0.0.1.example/v1' },
              }
            : line,
        ),
      /went to http:\/\/127\.0\.0\.1\.example/,
    ],
    [
      'an exchange after the run was over',
      (lines) => lines.map((line, at) => (at === 4 ? { ...line, offsetMs: 60_001 } : line)),
      /line 5 was recorded later than its run was long/,
    ],
    [
      'an exchange before the one above it',
      (lines) => lines.map((line, at) => (at === 2 ? { ...line, offsetMs: 50_000 } : line)),
      /line 4 was recorded before the one above it/,
    ],
    [
      'an exchange behind the end',
      (lines) => [
        ...lines.slice(0, 4),
        ...lines.slice(5, 6),
        ...lines.slice(4, 5),
        ...lines.slice(6),
      ],
      /behind the end of the run/,
    ],
    [
      'the settings twice',
      (lines) => [...lines.slice(0, 1), ...lines],
      /line 2: this line is not if it belongs/,
    ],
    ['no end', (lines) => lines.slice(0, 5), /does not say how the run ended/],
    [
      'other wall times',
      (lines) => lines.map((line) => ('id' in line ? { ...line, sentAtMs: 1 } : line)),
      /^$/,
    ],
  ])('%s', async (_what, change, message) => {
    await recordRun(dir, CHECK);
    resealed(dir, change);
    const said = await again().then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    // The summary has another head now, and says so by its digest alone.
    const others = said.replace(/^\S+run\.json is not as its run left it\b.*$/, '');
    expect(others).toMatch(message);
  });
});

describe('a record that lost its lines on the run', () => {
  const stripped = async (): Promise<void> => {
    await recordRun(dir, CHECK);
    resealed(dir, (lines) => lines.filter((line) => 'id' in line));
  };

  test('is judged as one of an earlier version, and says first what is not covered', async () => {
    await stripped();
    expect((await again()).notices[0]).toBe(NOT_COVERED);
  });

  test.each<[string, () => Promise<void> | void]>([
    ['that was stripped', stripped],
    [
      'of an earlier version',
      () => {
        writeEarlierRecord('nightly', dir);
        editRun(dir, (run) => Object.assign(run, { complete: true }));
      },
    ],
  ])('a release is not made of one %s', async (_what, make) => {
    await make();
    const making = releaseRunTask({ dir, purpose: 'make', ...common }, watched);
    await expect(making).rejects.toThrow(
      'was written by an earlier version of Assay, or made to look so',
    );
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, runOf, scratch } from '../command-line.ts';
import { type Loopback, whyNoNamespace, within } from './network-namespace.testkit.ts';

const folder = scratch();
const ENTRY = join(ROOT, 'dist', 'cli', 'main.js');

/** Runs the built command line on a machine with so much of loopback. */
function assay(
  loopback: Loopback,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const [file, words] = within(loopback, [process.execPath, ENTRY, ...args]);
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  return new Promise((resolve) => {
    const child = execFile(file, words, { env }, (_, stdout, stderr) => {
      resolve({
        code: child.exitCode ?? NaN,
        said: `${stdout}\n${stderr}`.replace(/\s+/g, ' '),
      });
    });
  });
}

const why = whyNoNamespace();

test.skipIf(why !== undefined)(
  'where loopback has one address, a load of several is sent from it and known not to show them apart',
  async () => {
    const out = folder();
    const args = ['load', '--embedded', '--scenario', 'per-address', '--seconds', '3'];
    const { code, said } = await assay('127.0.0.1', [...args, '--out', out]);
    expect(said).toMatch(/each client address is limited by itself is not known.*lo0 alias/);
    expect(code).toBe(3);
    const { counts } = runOf(out).load?.whole ?? {};
    expect(counts?.failed).toBe(0);
    expect(counts?.served).toBeGreaterThan(50);
  },
);

test.skipIf(why !== undefined)(
  'where loopback has one address, clients are distinguished by a header that the service believes',
  async () => {
    const out = folder();
    const args = ['load', '--embedded', '--scenario', 'per-address', '--seconds', '3'];
    const header = ['--address-header', 'X-Client-Address', '--threshold', 'throttled<75%'];
    const { said } = await assay('127.0.0.1', [...args, ...header, '--out', out]);
    expect(said).not.toContain('each client address is limited by itself is not known');
    const [below] = runOf(out).load?.steps ?? [];
    // Four clients of ten a second each; from one address all would be held to twenty.
    expect(below?.counts).toMatchObject({ throttled: 0, failed: 0 });
  },
);

test.skipIf(why !== undefined)(
  'where loopback has one address, limits are found but for what takes a second one',
  async () => {
    const out = folder();
    const args = ['limits', '--embedded', '--max-seconds', '120', '--out', out];
    const { code, said } = await assay('127.0.0.1', args);
    expect(said).toMatch(/limit of its own is not known: this machine has no second address/);
    expect(said).not.toContain('moved');
    expect(runOf(out).counts.failed).toBe(0);
    const rule = runOf(out).rules.find(({ id }) => id === 'zap.limits.per-address');
    expect(rule?.verdict).toBe('not-reached');
    // Beside other work the time ends before each limit is known.
    expect([0, 3]).toContain(code);
  },
);

test.skipIf(why !== undefined)('the embedded service is on ::1 without 127.0.0.1', async () => {
  const out = folder();
  const args = ['check', '--embedded', '--only', 'docs', '--out', out];
  const { code } = await assay('::1', args);
  expect(runOf(out).target.urls.docs).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(code).toBe(0);
});

test.skipIf(why !== undefined)('a machine without loopback is said to have none', async () => {
  const { code, said } = await assay('none', ['check', '--embedded', '--out', folder()]);
  expect(said).toContain('this machine has no loopback');
  expect(code).toBe(4);
});

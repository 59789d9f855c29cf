import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runOf, scratch, start } from './command-line.ts';
import { misbehave } from './misbehaving-server.ts';

const folder = scratch();
/** Of a gigabyte that each answer offers; a run of as many small answers takes nearly 300. */
const MAX_MEGABYTES = 400;

/** The most memory that a process has had at once, in megabytes; undefined once it has ended. */
function peakMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

// If the system does not say what memory a process has, there is nothing to measure.
test.skipIf(!existsSync('/proc/self/status'))('a body without end takes no memory', async () => {
  const url = await misbehave('gigabyte');
  const dir = folder();
  const urls = ['--zap-url', url, '--trade-url', url, '--docs-url', url];
  const check = start(['check', ...urls, '--out', dir]);
  const { pid } = check.process;
  if (pid === undefined) throw new Error('the command did not start');
  let peak = 0;
  const polling = setInterval(() => {
    peak = Math.max(peak, peakMegabytes(pid) ?? 0);
  }, 50);
  const { code } = await check.ended;
  clearInterval(polling);

  expect(peak).toBeGreaterThan(30);
  expect(peak).toBeLessThan(MAX_MEGABYTES);
  // How much an answer may hold is not promised, so nothing is known of it.
  expect(code).toBe(3);
  const [chains] = runOf(dir).rules.filter(({ id }) => id === 'zap.chains.served');
  expect(chains).toMatchObject({
    verdict: 'not-reached',
    reason: expect.stringMatching(/larger than --max-body-bytes, and not read$/) as string,
  });
});

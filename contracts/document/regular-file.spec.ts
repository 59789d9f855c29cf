import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRegularFile } from './regular-file.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

let dir = '';
const hasPipes = !lacks('mkfifo');
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-files-'));
  mkdirSync(join(dir, 'folder'));
  if (hasPipes) execFileSync('mkfifo', [join(dir, 'pipe')]);
  symlinkSync(join(dir, 'pipe'), join(dir, 'link-to-pipe'));
  symlinkSync(join(dir, 'circle'), join(dir, 'circle'));
  writeFileSync(join(dir, 'text'), 'é\n'.repeat(50_000));
});
afterAll(() => {
  rmSync(dir, { recursive: true });
});

test('a regular file is read whole, also by a link', () => {
  symlinkSync(join(dir, 'text'), join(dir, 'link'));
  expect(readRegularFile(join(dir, 'text'), 150_000)).toBe('é\n'.repeat(50_000));
  expect(readRegularFile(join(dir, 'link'), 150_000)).toHaveLength(100_000);
});

test.each<string[]>([
  ['folder', 'it is a folder'],
  ...(hasPipes ? ['pipe', 'link-to-pipe'].map((name) => [name, 'it is a named pipe']) : []),
  ['circle', 'its links lead in a circle'],
  ['nothing', 'there is no such file'],
  ['text/below', 'there is no such file'],
  ['text', 'it has more than 149999 bytes'],
  ['n'.repeat(300), 'its name is too long'],
])('%.20s is not read: %s', (name = '', message = '') => {
  expect(() => readRegularFile(join(dir, name), 149_999)).toThrow(
    expect.objectContaining({ name: 'UnreadableFile', message }) as Error,
  );
});

test('devices and sockets are not read', async () => {
  expect(() => readRegularFile('/dev/zero', 10)).toThrow('it is a device');
  const server = createServer();
  const path = join(dir, 'socket');
  await new Promise<void>((done) => server.listen(path, done));
  try {
    expect(() => readRegularFile(path, 10)).toThrow('it is a socket');
  } finally {
    server.close();
  }
});

test.skipIf(process.getuid?.() === 0)('nor what is not permitted', () => {
  const path = join(dir, 'closed');
  writeFileSync(path, '');
  chmodSync(path, 0);
  expect(() => readRegularFile(path, 10)).toThrow('reading it is not permitted');
});

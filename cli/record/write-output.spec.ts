import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDescriptorOf, writeOutput } from './write-output.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

let dir = '';
const at = (name: string): string => join(dir, name);
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'assay-output-'));
});
afterEach(() => {
  fs.rmSync(dir, { recursive: true });
});

test.skipIf(lacks('devices of its own'))(
  'a device is written to, by a link as well, and stays one',
  async () => {
    execFileSync('mknod', [at('none'), 'c', '1', '3']);
    execFileSync('mknod', [at('full'), 'c', '1', '7']);
    fs.symlinkSync(at('none'), at('link'));
    await writeOutput(at('none'), 'new');
    await writeOutput(at('link'), 'new');
    await expect(writeOutput(at('full'), 'new')).rejects.toThrow(
      /full could not be written: the disk is full/,
    );
    expect(fs.lstatSync(at('none')).isCharacterDevice()).toBe(true);
    expect(fs.lstatSync(at('full')).isCharacterDevice()).toBe(true);
    expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
  },
);

test.skipIf(lacks('mkfifo'))(
  'a named pipe gives all of a large text to a reader that comes later',
  async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const text = 'x'.repeat(300_000);
    const reader = spawn('sh', ['-c', 'sleep 0.2; cat pipe > read'], { cwd: dir });
    const ended = new Promise((resolve) => reader.on('close', resolve));
    await writeOutput(at('pipe'), text);
    await ended;
    expect(fs.readFileSync(at('read'), 'utf8')).toBe(text);
    expect(fs.lstatSync(at('pipe')).isFIFO()).toBe(true);
  },
);

test('an open descriptor is written to where it stands, whatever link names it', async () => {
  const descriptor = fs.openSync(at('open'), 'w');
  fs.writeSync(descriptor, 'first, ');
  fs.symlinkSync(`/dev/fd/${descriptor}`, at('link'));
  await writeOutput(at('link'), 'second');
  fs.closeSync(descriptor);
  expect(fs.readFileSync(at('open'), 'utf8')).toBe('first, second');
  expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
});

test.skipIf(lacks('/proc'))('standard output has several names', () => {
  fs.symlinkSync('/dev/stdout', at('link'));
  for (const name of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', at('link')])
    expect(openDescriptorOf(name)).toBe(1);
  for (const name of [at('none'), '/dev/null', dir]) expect(openDescriptorOf(name)).toBeUndefined();
});

test('a link to a plain file gives way to a file of its own', async () => {
  fs.writeFileSync(at('victim'), 'as it was');
  fs.symlinkSync(at('victim'), at('link'));
  await writeOutput(at('link'), 'new');
  expect(fs.readFileSync(at('victim'), 'utf8')).toBe('as it was');
  expect(fs.lstatSync(at('link')).isFile()).toBe(true);
});

import { afterEach, expect, test, vi } from 'vitest';
import { affordableConnections, machineFailureBehind, openFileLimit } from './open-files.ts';

const system = vi.hoisted(() => ({ limits: '', open: 0, error: '' }));
vi.mock('node:fs', () => ({
  readFileSync: () => {
    if (system.limits === '') throw new Error(system.error);
    return system.limits;
  },
  readdirSync: () => Array.from({ length: system.open }, (_, at) => String(at)),
}));

function allow(files: string, open = 22): void {
  system.limits = `Max cpu time  unlimited  unlimited  seconds\nMax open files            ${files}   4096   files\n`;
  system.open = open;
}

afterEach(() => {
  system.limits = '';
  system.error = '';
});

test('as many connections as files are left, after those that records and reports need', () => {
  allow('256');
  expect(openFileLimit()).toBe(256);
  // 22 are open, and 48 kept: 186.
  expect(affordableConnections(1, 1)).toBe(186);
  expect(affordableConnections(2, 1)).toBe(93);
  expect(affordableConnections(3, 2)).toBe(31);
});

test('one connection is tried if no file is left', () => {
  allow('64');
  expect(affordableConnections(3, 2)).toBe(1);
});

test('no bound if the system has none', () => {
  expect(affordableConnections(3, 2)).toBe(Infinity);
  allow('unlimited');
  expect(openFileLimit()).toBe(Infinity);
});

test('no file may be open if none is left to ask with', () => {
  system.error = 'EMFILE: too many open files';
  expect(openFileLimit()).toBe(0);
  expect(affordableConnections(3, 2)).toBe(1);
});

test('a module that is not found is of this machine only if few files may be open', () => {
  const message = "Cannot find package 'vite' imported from x.js";
  allow('1024');
  expect(machineFailureBehind(message)).toBeUndefined();
  allow('140');
  expect(machineFailureBehind(message)).toContain('ulimit -n');
  expect(machineFailureBehind('x is undefined')).toBeUndefined();
  expect(machineFailureBehind('connect EMFILE 127.0.0.1:1')).toContain('ulimit -n');
});

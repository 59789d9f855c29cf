import { expect, test } from 'vitest';
import { machineFailureIn, machineFailureOf, machineNotice } from './machine-failure.ts';

test.each([
  ['EMFILE', /too many open files \(EMFILE\).*ulimit -n/],
  ['ENFILE', /this machine has too many open files/],
  ['EADDRNOTAVAIL', /no free port.*ip_local_port_range/],
  ['ENOBUFS', /no room for one more socket/],
  ['ENOMEM', /out of memory/],
])('%s is a failure of this machine, with what helps', (code, words) => {
  expect(machineFailureOf(code)).toMatch(words);
  expect(machineFailureIn(`connect ${code} 127.0.0.1:80`)).toBe(machineFailureOf(code));
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'constructor', ''])(
  '%s is none',
  (code) => {
    expect(machineFailureOf(code)).toBeUndefined();
    expect(machineFailureIn(`connect ${code} 127.0.0.1:80`)).toBeUndefined();
  },
);

test('the notice says how many requests were not sent, and that it says nothing of the target', () => {
  expect(machineNotice(1, 'why')).toBe(
    'This machine failed, which says nothing of the target. One request was not sent: why.',
  );
  expect(machineNotice(3, 'why')).toContain('3 requests were not sent: why.');
});

test('memory that WebAssembly gets none of is out, as what it holds need not be large', () => {
  const message = 'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory';
  expect(machineFailureIn(message)).toBe(machineFailureOf('ENOMEM'));
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { ControlNotStarted, startControl } from './control-process.ts';

const dist = path.join(import.meta.dirname, '../../../build/load/trend/control');
const entry = pathToFileURL(path.join(dist, 'control-server.js'));

test('the control gives the same bytes to whatever is asked, until it is stopped', async () => {
  const control = await startControl(entry);
  expect(control.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const bodies: string[] = [];
  for (const [method, where] of [
    ['GET', '/'],
    ['POST', '/v1/quote?x=1'],
    ['GET', '/nowhere'],
  ] as const) {
    const body = method === 'POST' ? 'x'.repeat(100_000) : null;
    const answer = await request(`${control.url}${where}`, { method, body });
    expect(answer.statusCode).toBe(200);
    bodies.push(await answer.body.text());
  }
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]?.length).toBeGreaterThan(1900);
  await control.stop();
  await expect(request(control.url)).rejects.toThrow();
});

test('a control that ends at once is reported', async () => {
  const nowhere = pathToFileURL(path.join(dist, 'no-such-server.js'));
  await expect(startControl(nowhere)).rejects.toThrow(ControlNotStarted);
  await expect(startControl(nowhere)).rejects.toThrow(/it ended with exit code 1/);
});

test('a control whose starter is gone ends by itself', async () => {
  const child = fork(path.join(dist, 'control-server.js'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

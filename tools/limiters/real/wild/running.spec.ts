import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openYard, WildNotStarted, type WildYard } from './running.ts';
import type { WildLimiter, WildPlace } from './wild-limiter.ts';

let yard: WildYard;
let place: WildPlace | undefined;

afterEach(() => {
  yard.close();
});

/** A server of these lines of JavaScript, in which `port` is the one it may take. */
function serving(source: string, writesUrl: boolean): WildLimiter {
  return {
    family: 'npm',
    name: 'test',
    parameters: '',
    truths: [{ class: 'none', limit: 1 }],
    command: (given) => {
      place = given;
      const file = join(given.folder, 'server.cjs');
      writeFileSync(
        file,
        `const port = ${given.port}; const http = require('node:http');\n${source}`,
      );
      return { program: process.execPath, args: [file], writesUrl };
    },
  };
}

const listens = `http.createServer((_, out) => out.end('here')).listen(port, '127.0.0.1'`;

async function answer(url: string): Promise<string> {
  return fetch(url).then(
    (response) => response.text(),
    () => 'nobody',
  );
}

test('a limiter answers until it is stopped', async () => {
  yard = openYard();
  const { url, stop } = await yard.start(serving(`${listens});`, false));
  expect(await answer(url)).toBe('here');
  await stop();
  expect(await answer(url)).toBe('nobody');
});

test('one that takes a port of its own writes its URL; closing kills it and removes its folder', async () => {
  yard = openYard();
  const source = `${listens}, () => console.log('http://127.0.0.1:' + port));`;
  const { url } = await yard.start(serving(source, true));
  expect(await answer(url)).toBe('here');
  yard.close();
  await expect.poll(() => answer(url)).toBe('nobody');
  expect(existsSync(place?.folder ?? '')).toBe(false);
  await expect(yard.start(serving(source, true))).rejects.toThrow();
});

test('one that ends at once is reported, with what it said', async () => {
  yard = openYard();
  const start = yard.start(serving(`console.error('no such directive'); process.exit(1);`, false));
  await expect(start).rejects.toThrow(WildNotStarted);
  await expect(start).rejects.toThrow('no such directive');
});

test('a program that takes too long is killed', async () => {
  yard = openYard();
  const { code, said } = await yard.run(
    process.execPath,
    ['-e', `console.log('begun'); setInterval(() => 0, 1000)`],
    400,
  );
  expect(code).toBeNull();
  expect(said).not.toContain('Error');
});

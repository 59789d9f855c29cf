import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, scratch } from './command-line.ts';

const folder = scratch();
/** A configuration in which nothing is wrong; an empty one is. */
const PLAIN = 'timeoutMs: 1000';

describe.concurrent('what cannot be done is reported without what is secret in it', () => {
  test.each([
    ['a flag', ['check', '--zap-url', 'http://user:hush hush@ho st'], {}, PLAIN],
    ['a flag without slashes', ['check', '--trade-url', 'https:user:hush@host'], {}, PLAIN],
    ['a variable', ['check'], { ASSAY_DOCS_URL: 'http://user:hu/sh@host' }, PLAIN],
    ['a configuration', ['check'], {}, 'zapUrl: http://user:hush@host'],
    ['a configuration that is no YAML', ['check'], {}, 'zapUrl: "http://user:hush@host'],
    ['a contract', ['check', '--contract', 'zap=http:user:hush@host/openapi.yaml'], {}, PLAIN],
    ['a contract in a list', ['check'], { ASSAY_CONTRACTS: 'x,zap=http://user:hu,sh@h' }, PLAIN],
    ['a Redis', ['serve', '--redis-url', 'redis://user:hush@ho st'], {}, PLAIN],
    ['what is no Redis', ['serve', '--redis-url', 'http://user:hush@host'], {}, PLAIN],
  ])('a password in the URL of %s, which is not repeated', async (_, args, env, config) => {
    const cwd = folder();
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'assay.config.yaml'), config);
    const { code, stdout, stderr } = await assay(args, { env, cwd });
    expect(stdout + stderr).not.toMatch(/hush|hu.sh/);
    expect(code).toBe(2);
  });
});

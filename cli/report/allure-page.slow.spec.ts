import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXAMPLE_RUN } from '../../reports/example-run.testkit.ts';
import { sourceOf } from '../../reports/source.testkit.ts';
import { allureWishOf, makeAllure } from './allure-report.ts';
import { UsageError } from '../exit-code.ts';

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A folder of a user, with a program in place of Allure if one is given. */
function project(program?: string, version = '3.18.0'): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-allure-cli-'));
  made.push(dir);
  if (program === undefined) return dir;
  const home = join(dir, 'node_modules', 'allure');
  mkdirSync(home, { recursive: true });
  const manifest = { name: 'allure', version, bin: './cli.mjs' };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(home, 'cli.mjs'), `import * as fs from 'node:fs';\n${program}`);
  return dir;
}

const COUNTS = 'www.googletagmanager.com';

/** Makes a page of what it was given, as Allure does. */
const WRITES = `
const [, , kind, results, , , out] = process.argv;
const given = { kind, files: fs.readdirSync(results).length, env: Object.keys(process.env) };
fs.mkdirSync(out);
fs.writeFileSync(out + '/index.html', '<html><head></head>' + JSON.stringify(given)
  + '<script async src="https://${COUNTS}/gtag/js?id=G-1"></script>'
  + '<script>gtag(1)</script></html>');
`;

async function pageIn(dir: string, maxSeconds = 30): Promise<string> {
  vi.stubEnv('PATH', join(dir, 'node_modules', '.bin'));
  const wish = await allureWishOf({ allurePage: 'page.html' }, dir);
  expect(wish?.page?.file).toBe(join(dir, 'page.html'));
  return (await makeAllure(wish ?? {}, [sourceOf(EXAMPLE_RUN)], maxSeconds)) ?? '';
}

describe("Allure's page", () => {
  test("is made by the user's Allure, without analytics, and nothing else is left", async () => {
    const dir = project(WRITES);
    const page = await pageIn(dir);
    expect(page).toContain('"kind":"awesome"');
    expect(page).not.toContain('gtag');
    expect(readdirSync(dir)).toEqual(['node_modules']);
  });

  test('is made by a program that is given no secret and no CI', async () => {
    vi.stubEnv('ASSAY_TRADE_KEY', 'key-0f6d2b71c4');
    vi.stubEnv('GITHUB_TOKEN', 'token-0f6d2b71c4');
    const page = await pageIn(project(WRITES));
    expect(page).toContain('"PATH"');
    expect(page).not.toMatch(/ASSAY_|GITHUB_/);
  });

  test.each<[program: string, why: string]>([
    ['process.stderr.write("no such plugin"); process.exit(3);', 'code 3. It said: no such plugin'],
    ['setInterval(() => 0, 1000);', 'was ended by SIGKILL, which it is after 1 s'],
    ['', 'made no page'],
    [WRITES.replace('googletagmanager.com', 'other.example'), 'call www.other.example'],
  ])('is none if the program does not make it: %#', async (program, why) => {
    const dir = project(program);
    const failed = pageIn(dir, program.startsWith('setInterval') ? 1 : 30);
    await expect(failed).rejects.toThrow(why);
    await expect(failed).rejects.toBeInstanceOf(UsageError);
    expect(existsSync(join(dir, 'page.html'))).toBe(false);
  });
});

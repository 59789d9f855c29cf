import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
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

describe('results for Allure', () => {
  test('go to a folder that was not there', async () => {
    const dir = project();
    const wish = await allureWishOf({ allure: 'a/b' }, dir);
    expect(await makeAllure(wish ?? {}, [sourceOf(EXAMPLE_RUN)], 30)).toBeUndefined();
    const files = readdirSync(join(dir, 'a', 'b'));
    expect(files.filter((name) => name.endsWith('-result.json'))).toHaveLength(9);
  });

  test('never come to those of an earlier run, which would be retries', async () => {
    const dir = project();
    writeFileSync(join(dir, 'x-result.json'), '{}');
    await expect(allureWishOf({ allure: '.' }, dir)).rejects.toThrow(
      /holds x-result\.json already.*retries: name a folder that is empty/,
    );
    await expect(allureWishOf({ allure: 'x-result.json' }, dir)).rejects.toThrow(UsageError);
    await expect(allureWishOf({ allure: '' }, dir)).rejects.toThrow('takes the name of a folder');
  });

  test('are not written where nobody asks for them', async () => {
    expect(await allureWishOf({ junit: 'x' }, project())).toBeUndefined();
  });
});

describe("Allure's page", () => {
  test('takes Allure 3, and says how to install it', async () => {
    const how = 'npm install --save-dev allure@3';
    const asked = { allurePage: 'p' };
    await expect(allureWishOf(asked, project())).rejects.toThrow(how);
    vi.stubEnv('PATH', join(project('', '2.30.0'), 'node_modules', '.bin'));
    await expect(allureWishOf(asked, project())).rejects.toThrow(
      `is Allure 2.30.0. Install it with ${how}`,
    );
    await expect(allureWishOf(asked, project())).rejects.toThrow(UsageError);
  });

  test('is made by no program of the working folder, which may be the record of somebody else', async () => {
    const dir = project('', '3.18.0');
    vi.stubEnv('PATH', `.${delimiter}node_modules/.bin${delimiter}`);
    await expect(allureWishOf({ allurePage: 'p' }, dir)).rejects.toThrow('is not on PATH');
  });

  test('is made by the program on PATH, whose package stands above it', async () => {
    const home = join(project('', '3.18.0'), 'node_modules', 'allure');
    const bin = join(home, '..', '..', 'bin');
    mkdirSync(bin);
    symlinkSync(join(home, 'cli.mjs'), join(bin, 'allure'));
    vi.stubEnv('PATH', bin);
    const wish = await allureWishOf({ allurePage: 'p' }, project());
    expect(realpathSync(wish?.page?.program ?? '')).toBe(realpathSync(join(home, 'cli.mjs')));
  });
});

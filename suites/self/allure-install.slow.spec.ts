import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { chromiumHere, openBrowser, windowOf } from '../../fixtures/browser.ts';
import { folderWithAllure } from './allure-install.testkit.ts';
import { assay, runOf, scratch, serve } from './command-line.ts';

const folder = scratch();

test('the real Allure makes a page of a run, which opens from disk and asks nobody for anything', async ({
  skip,
}) => {
  const allure = folderWithAllure();
  skip(allure === undefined, 'Allure 3 cannot be installed from npm here');
  const [project, run] = [folder(), folder()];
  mkdirSync(project);
  const { urls, process: service } = await serve(['--fault', 'zap-min-return-added']);
  await assay(['check', '--zap-url', urls.zap, '--only', 'zap.path.*', '--out', run]);
  service.process.kill();
  const made = await assay(['report', run, '--allure-page', 'page.html'], {
    cwd: project,
    // As npx has it.
    env: {
      PATH: `${join(allure ?? '', 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  });
  expect([made.code, made.said]).toEqual([0, made.said]);
  const file = join(project, 'page.html');
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toContain('googletagmanager');

  const chromium = chromiumHere();
  skip(chromium === undefined, 'there is no Chromium to open it in');
  const browser = await openBrowser(chromium ?? '');
  try {
    const page = await (await windowOf(browser, { width: 1280, scheme: 'light' })).newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) asked.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    // As many results as the run has rules, and the run itself.
    const count = String(runOf(run).rules.length + 1);
    const reported = async (): Promise<string> => page.evaluate<string>('document.body.innerText');
    await expect.poll(reported, { timeout: 120_000 }).toContain('Failed');
    expect(await reported()).toMatch(new RegExp(`\\b${count}\\b`));
    expect(asked).toEqual([]);
  } finally {
    await browser.close();
  }
});

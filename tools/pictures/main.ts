/** Run by `npm run pictures`: takes the pictures of reports that stand in docs/. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { print, notify } from '../../cli/output.ts';
import { ROOT } from '../../cli/package.ts';
import { PAGE_FILE } from '../../cli/record/page-file.ts';
import { chromiumHere, openBrowser, windowOf } from '../../fixtures/browser.ts';
import { serveFaults, targetsOf, THREE_FAULTS } from '../../fixtures/service/faulty-service.ts';
import { takeTerminalPicture } from './terminal-picture.ts';

/** Runs a check, whatever comes of it. */
function check(args: readonly string[], out: string): Promise<void> {
  const entry = join(ROOT, 'dist', 'cli', 'main.js');
  const child = spawn(process.execPath, [entry, 'check', ...args, '--quiet', '--out', out], {
    stdio: 'ignore',
    cwd: ROOT,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      resolve();
    });
  });
}

/** @param part a selector, of the first part of the page that it finds; the top of the page when absent */
async function takePicture(
  browser: Browser,
  record: string,
  name: string,
  part?: string,
): Promise<void> {
  const context = await windowOf(browser, { width: 1280, scheme: 'light' });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 1200 });
  await page.goto(pathToFileURL(join(record, PAGE_FILE)).href);
  await page.waitForSelector('html[data-ready-ms]');
  const path = join(ROOT, 'docs', name);
  await (part === undefined ? page : page.locator(part).first()).screenshot({ path });
  await context.close();
  print(`docs/${name}\n`);
}

const chromium = chromiumHere();
if (chromium === undefined) {
  notify('assay: no Chromium is here to take pictures with. Install it, or name it in CHROMIUM.');
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
  const service = await serveFaults(THREE_FAULTS);
  const oneFault = await serveFaults(['zap-min-return-added']);
  const payingAccounts = await serveFaults(['zap-pays-the-account']);
  const browser = await openBrowser(chromium);
  try {
    const names = ['clean', 'three-faults', 'one-fault', 'simulated'];
    const [clean, faults, red, executed] = names.map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await check(['--embedded'], clean);
    await takePicture(browser, clean, 'report-page-clean.png');
    await check(targetsOf(service), faults);
    await takePicture(browser, faults, 'report-page-faults.png');
    await check([...targetsOf(payingAccounts), '--rpc-of-service'], executed);
    await takePicture(browser, executed, 'report-page-simulated.png', '[id$=-simulated] article');
    await check(targetsOf(oneFault).slice(0, 4), red);
    await takeTerminalPicture(browser, red, join(ROOT, 'docs', 'report-terminal.png'));
    print('docs/report-terminal.png\n');
  } finally {
    await browser.close();
    await service.close();
    await oneFault.close();
    await payingAccounts.close();
    rmSync(folder, { recursive: true });
  }
}

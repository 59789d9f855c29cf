import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsiUp } from 'ansi_up';
import type { Browser } from 'playwright-core';
import type { RunJson } from '../../contracts/run/run.ts';
import { renderTerminal } from '../../reports/terminal/terminal.ts';
import { windowOf } from '../../fixtures/browser.ts';

const WIDTH_CHARACTERS = 80;
const STYLE = `body { margin: 0; background: #10151d; color: #d8dee9 }
pre { margin: 0; padding: 16px; width: ${WIDTH_CHARACTERS}ch; font: 14px/19px 'DejaVu Sans Mono', monospace }
div { overflow: hidden; text-overflow: ellipsis; min-height: 19px }
.ansi-red-fg { color: #ff6b6b } .ansi-yellow-fg { color: #f2c94c } .ansi-green-fg { color: #6fcf97 }
.ansi-bright-black-fg { color: #7f8a9a }`;

/**
 * Takes a picture of what a terminal with colours shows of a record.
 *
 * @param record the folder of the record
 * @param path the PNG to write
 */
export async function takeTerminalPicture(
  browser: Browser,
  record: string,
  path: string,
): Promise<void> {
  const run = JSON.parse(readFileSync(join(record, 'run.json'), 'utf8')) as RunJson;
  const text = renderTerminal(run, {
    ...{ color: true, width: WIDTH_CHARACTERS, detail: 'short', record: 'assay-runs/latest' },
  });
  const context = await windowOf(browser, { width: 1000, scheme: 'dark' });
  const page = await context.newPage();
  await page.setContent(`<style>${STYLE}</style><pre>${htmlOf(text)}</pre>`);
  await page.locator('pre').screenshot({ path });
  await context.close();
}

/** A line each, so that what is wider than the terminal is cut. */
function htmlOf(text: string): string {
  const ansi = new AnsiUp();
  ansi.use_classes = true;
  return text
    .split('\n')
    .map((line) => `<div>${ansi.ansi_to_html(line)}</div>`)
    .join('');
}

import { existsSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';

/** Where systems keep Chromium, the variable first. */
const PLACES: readonly string[] = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The file of an installed Chromium; undefined where there is none. */
export function chromiumHere(): string | undefined {
  return PLACES.find((place) => place !== '' && existsSync(place));
}

/** Starts Chromium, in which no name of a host means anything. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND'],
  });
}

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** A window of its own. */
export function windowOf(browser: Browser, { width, scheme }: Look): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: width > 600 ? 900 : 844 },
    colorScheme: scheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

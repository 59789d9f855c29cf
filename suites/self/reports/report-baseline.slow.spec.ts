import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { chromiumHere, openBrowser, windowOf } from '../../../fixtures/browser.ts';
import { pageTemplate } from '../../../cli/record/page-file.ts';
import { EXAMPLE_COMPARISON } from '../../../reports/comparison.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../../../reports/example-run.testkit.ts';
import { renderHtml } from '../../../reports/html/html.ts';
import { scratch } from '../command-line.ts';

const folder = scratch();
const chromium = chromiumHere();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const LEDGER: RunJson['ledger'] = [
  { id: 'zap.a', clause: '§7 codes', observed: ['same here'] },
  { id: 'zap.b', clause: '§8 limits', observed: ['old', 'older', 'oldest', 'x', 'y', HOSTILE] },
];
const BASELINE: NonNullable<RunJson['baseline']> = {
  ...EXAMPLE_COMPARISON,
  ledger: {
    rows: [
      { id: 'zap.b', clause: '§8 limits', came: [HOSTILE], went: ['gone'], grade: 'uncertain' },
    ],
    more: 0,
  },
};

describe.runIf(chromium !== undefined)('the page of a run with a baseline, in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(run: RunJson, width: number): Promise<Page> {
    const dir = folder();
    mkdirSync(dir);
    const file = join(dir, 'report.html');
    const source = { run, exchanges: new Map(), leftOut: 0, name: 'made-up' };
    writeFileSync(file, renderHtml([source], pageTemplate(), { clauses: [] }));
    const page = await (await windowOf(browser, { width, scheme: 'light' })).newPage();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready-ms]');
    return page;
  }

  test.each([1280, 390])(
    'says of unspecified clauses and rules what the baseline has, at %i',
    async (width) => {
      const page = await open({ ...EXAMPLE_RUN, ledger: LEDGER, baseline: BASELINE }, width);
      const part = page.locator('#r0-unspecified, [id$="-unspecified"]').first();
      const rows = (await part.locator('tbody tr').allTextContents()).map((text) =>
        text.replaceAll(/\s+/g, ' '),
      );
      expect(rows).toHaveLength(2);
      // What differs comes first, and in it what is new, whatever else was seen.
      expect(rows[0]).toMatch(
        /^zap\.b .*in this run alone: <img .*old.*in the baseline alone: gone$/,
      );
      expect(rows[0]).toContain('\\u{202e}');
      expect(rows[1]).toMatch(/^zap\.a §7 codes\s?same here$/);
      expect(await part.textContent()).toContain(
        'Of the first one the baseline saw something else.',
      );
      expect(await page.locator('[id$="-broken"]').first().textContent()).toContain('baseline');
      expect(
        await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      ).toBe(true);
      await page.evaluate(AXE);
      const faults = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
      );
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('shows in full what was there beside what is known of a rule, at 1280', async () => {
    const actual = `nothing ${'that a client could read '.repeat(4)}`;
    const rules = ['zap.one', 'zap.two'].map((id) =>
      ruleRow({
        ...{ id, verdict: 'fail' },
        findings: [
          { pointer: '/a', expected: 'x', actual, exchanges: ['x1'], curl: 'c', count: 1 },
        ],
      }),
    );
    const page = await open({ ...EXAMPLE_RUN, rules, baseline: BASELINE }, 1280);
    const cells = page.locator('.overview .was-line');
    expect(await cells.first().textContent()).toContain(actual.trim());
    const widths = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.overview .was-line')].map((one) => (one.scrollWidth > one.clientWidth ? 0 : one.clientWidth))",
    );
    expect(widths).toHaveLength(2);
    expect(Math.min(...widths)).toBeGreaterThan(300);
    await page.context().close();
  });

  test('says that the baseline saw the same, and nothing of one if there is none', async () => {
    const none = { ...BASELINE, ledger: { rows: [], more: 0 } };
    const same = await open({ ...EXAMPLE_RUN, ledger: LEDGER, baseline: none }, 1280);
    expect(await same.locator('[id$="-unspecified"]').first().textContent()).toContain(
      'The baseline saw the same.',
    );
    const without = await open({ ...EXAMPLE_RUN, ledger: LEDGER }, 1280);
    expect(await without.locator('[id$="-unspecified"]').first().textContent()).not.toMatch(
      /baseline/i,
    );
    await Promise.all([same.context().close(), without.context().close()]);
  });
});

/** Long because all looks at the page share one browser and the same runs. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { pointerOf } from '../../../contracts/wire/json-pointer.ts';
import { chromiumHere, type Look, openBrowser, windowOf } from '../../../fixtures/browser.ts';
import { serveFaults, targetsOf, THREE_FAULTS } from '../../../fixtures/service/faulty-service.ts';
import { pageTemplate } from '../../../cli/record/page-file.ts';
import { EXAMPLE_LOAD } from '../../../contracts/run/load/load-run.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../../../reports/example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../../../reports/hostile-run.testkit.ts';
import { renderHtml } from '../../../reports/html/html.ts';
import { exchangeWith } from '../../../reports/html/html.testkit.ts';
import type { ReportSource } from '../../../reports/source.ts';
import { assay, runOf, scratch } from '../command-line.ts';

const folder = scratch();
const chromium = chromiumHere();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Each width and each scheme once: a width moves boxes, a scheme colours them. */
const LOOKS: readonly Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
];

test('Chromium is there, if CI runs', () => {
  const isCi = !['', '0', 'false'].includes(process.env.CI ?? '');
  // Elsewhere the tests below are left out: `apt-get install chromium`, or name it in CHROMIUM.
  expect(chromium !== undefined || !isCi).toBe(true);
});

interface Opened {
  readonly page: Page;
  /** What the console said, and what the page asked the network for. */
  readonly heard: string[];
}

describe.runIf(chromium !== undefined)('the page of a run, in Chromium', () => {
  let browser: Browser;
  const [clean, faults] = [folder(), folder()];
  const runs: Record<string, RunJson> = {};

  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
    await assay(['check', '--embedded', '--out', clean]);
    const service = await serveFaults(THREE_FAULTS);
    try {
      await assay(['check', ...targetsOf(service), '--out', faults]);
    } finally {
      await service.close();
    }
    for (const dir of [clean, faults]) runs[dir] = runOf(dir);
  });

  afterAll(async () => {
    await browser.close();
  });

  function open(dir: string, look: Look): Promise<Opened> {
    return openFile(join(dir, 'report.html'), look);
  }

  /** A page of runs that nobody made, in a file. */
  function pageOf(source: Partial<ReportSource>): string {
    const dir = folder();
    mkdirSync(dir);
    const file = join(dir, 'report.html');
    const whole = {
      run: EXAMPLE_RUN,
      exchanges: new Map(),
      leftOut: 0,
      name: 'made-up',
      ...source,
    };
    writeFileSync(file, renderHtml([whole], pageTemplate(), { clauses: [] }));
    return file;
  }

  async function openFile(file: string, look: Look): Promise<Opened> {
    const context = await windowOf(browser, look);
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(error.message));
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) heard.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready-ms]');
    return { page, heard };
  }

  async function faultsOfAxe(page: Page): Promise<string[]> {
    await page.evaluate(AXE);
    return page.evaluate(async () => {
      interface Found {
        readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[];
      }
      const { axe } = globalThis as unknown as { axe: { run: () => Promise<Found> } };
      const { violations } = await axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  }

  /** The page reaches no further to the side than its window. */
  async function fits(page: Page): Promise<boolean> {
    return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
  }

  test.each(LOOKS)('of a clean run at $width, $scheme', async (look) => {
    const { page, heard } = await open(clean, look);
    expect(await page.locator('h1').textContent()).toContain('Conforms');
    expect(await page.locator('.card').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'What broke' }).count()).toBe(0);
    expect(await fits(page)).toBe(true);
    expect(await faultsOfAxe(page)).toEqual([]);
    expect(heard).toEqual([]);
    await page.context().close();
  });

  test.each(LOOKS)('of a run with three faults at $width, $scheme', async (look) => {
    const { page, heard } = await open(faults, look);
    const broken = (runs[faults]?.rules ?? []).filter(({ verdict }) =>
      ['fail', 'warn'].includes(verdict),
    );
    expect(await page.locator('h1').textContent()).toContain('Does not conform');
    expect(await page.locator('.card').count()).toBe(broken.length);

    // Filters, until one is left.
    const search = page.getByRole('searchbox');
    await search.fill('min-return-within-amount');
    const status = page.locator('.filters [role=status]');
    await expect.poll(() => status.textContent()).toMatch(/^1 of \d+ rules$/);
    expect(await page.locator('.card').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.locator('.card').count()).toBe(broken.length);
    await page.getByLabel('Verdict', { exact: true }).selectOption('warn');
    const warnings = broken.filter(({ verdict }) => verdict === 'warn').length;
    await expect.poll(() => page.locator('.card').count()).toBe(warnings);
    await page.getByRole('button', { name: 'Clear' }).click();

    // Expands a finding, whose place is marked in the answer.
    const id = 'zap.path.min-return-within-amount';
    const card = page.locator(`[id="run1-${id}"]`);
    await card.locator('> summary').click();
    await expect.poll(() => card.getAttribute('open')).toBeNull();
    await page.locator('.overview').getByRole('link', { name: id }).click();
    await expect.poll(() => card.getAttribute('open')).not.toBeNull();
    const row = runs[faults]?.rules.find((rule) => rule.id === id);
    expect(await card.locator('mark').first().textContent()).toContain('"minReturn": "');
    expect(await card.locator('.was').first().textContent()).toBe(row?.findings[0]?.actual);

    // Copies the curl as it stands in the record.
    const smallest = card.locator('.finding').filter({ hasText: 'The smallest that shows it' });
    await smallest.getByRole('button', { name: 'Copy: curl' }).first().click();
    await expect
      .poll(() => smallest.locator('.copy [role=status]').first().textContent())
      .toBe('Copied');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(row?.counterexample?.curl[0]);

    // From a clause to what broke.
    await page.getByRole('button', { name: '§2.2' }).click();
    expect(await page.locator('.clauses').getByText(id).count()).toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Open all' }).click();
    expect(await fits(page)).toBe(true);
    expect(await faultsOfAxe(page)).toEqual([]);
    expect(heard).toEqual([]);
    await page.context().close();
  });

  test('assay report makes one page of several runs', async () => {
    const file = `${folder()}.html`;
    const { code } = await assay(['report', clean, faults, '--html', file]);
    expect(code).toBe(0);
    const { page, heard } = await openFile(file, { width: 1280, scheme: 'dark' });
    expect(await page.locator('h1').textContent()).toBe('Assay report on 2 runs');
    const [first, second] = await page.locator('.run-title').allTextContents();
    expect(first).toContain('Conforms');
    expect(second).toContain('Does not conform');
    expect(await page.locator('.card').count()).toBeGreaterThan(0);
    expect(await faultsOfAxe(page)).toEqual([]);
    expect(heard).toEqual([]);
    await page.context().close();
  });

  test('a text of the service is never markup, wherever it stands', async () => {
    const hostile = `</script><img src="http://127.0.0.1:9/x" onerror="document.title='run'"><b class="own">\u202egpj</b>`;
    const finding = { pointer: pointerOf([hostile]), expected: hostile, actual: hostile, count: 1 };
    const rule = ruleRow({
      ...{ id: 'zap.a', verdict: 'fail', protects: hostile, reason: hostile, needs: hostile },
      findings: [{ ...finding, exchanges: ['x00001', 'x00002', 'x00003'], curl: hostile }],
    });
    const body = JSON.stringify({ [hostile]: hostile });
    const file = pageOf({
      name: hostile,
      run: {
        ...EXAMPLE_RUN,
        rules: [rule, { ...rule, id: 'zap.b', verdict: 'not-reached', findings: [] }],
        ledger: [{ id: hostile, clause: hostile, observed: [hostile] }],
        labels: { [hostile]: hostile },
        notices: [hostile],
      },
      exchanges: new Map([
        ['x00001', exchangeWith('x00001', body)],
        ['x00002', exchangeWith('x00002', hostile)],
        ['x00003', exchangeWith('x00003', { encoding: 'base64', text: '//4A' })],
      ]),
      limitPlot: `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title='run'</script><image href="http://127.0.0.1:9/y"/></svg>`,
    });
    const { page, heard } = await openFile(file, { width: 1280, scheme: 'light' });
    // The first one stands open.
    for (const at of [1, 2]) await page.locator('.exchange > summary').nth(at).click();
    expect(await page.locator('.exchange[open]').count()).toBe(3);
    expect(await page.locator('mark').first().textContent()).toContain(String.raw`\u{202e}gpj`);
    expect(await page.locator('.own, [onerror], img[src^="http"]').count()).toBe(0);
    expect(await page.locator('img').count()).toBe(1);
    expect(await page.title()).not.toBe('run');
    expect(await page.evaluate<string>('document.body.innerText')).not.toContain('\u202e');
    expect(heard).toEqual([]);
    await page.context().close();
  });

  test('texts that would do something in another format are text as well', async () => {
    const sources = [['plain', 'plain'], ...Object.entries(HOSTILE_TEXTS)].map(
      ([name = '', text = '']) => ({
        ...{ name, run: hostileRun(text), leftOut: 0 },
        exchanges: new Map([[text, exchangeWith(text, text)]]),
      }),
    );
    const shapes = [];
    for (const one of sources) {
      const { page, heard } = await openFile(pageOf(one), { width: 390, scheme: 'light' });
      await page.getByRole('button', { name: 'Open all' }).click();
      // What a text could have made: links and pictures besides the page's own.
      const own = 'a[href^="#"]';
      const made = await page.locator(`a:not(${own}), img, iframe, script, b, h1`).count();
      shapes.push([one.name, made, await page.locator('.card').count(), heard]);
      const shown = await page.evaluate<string>('document.body.innerText');
      expect(/[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n\t]/u.test(shown), one.name).toBe(false);
      expect(await fits(page), one.name).toBe(true);
      await page.context().close();
    }
    const [[, made, cards] = []] = shapes;
    expect(cards).toBeGreaterThan(2);
    expect(shapes).toEqual(sources.map(({ name }) => [name, made, cards, []]));
  });

  test.each(LOOKS)('says of a load at $width, $scheme, which errors came when', async (look) => {
    const run = { ...EXAMPLE_RUN, load: EXAMPLE_LOAD };
    const { page, heard } = await openFile(pageOf({ run }), look);
    const said = 'zap.quote answered 503: 8 of 130 (6.2 %), 10.1 s to 17.9 s';
    // What rules were broken stands before the load, and may take screens.
    const error = page.locator('#run1').getByText(said);
    expect((await error.boundingBox())?.y).toBeLessThan(500);
    const judged = page.locator('#run1 .facts').getByText('all 198 answers');
    expect((await judged.boundingBox())?.y).toBeLessThan(900);
    const text = await page.locator('#run1-load').innerText();
    expect(text).toMatch(/all 198 answers/);
    expect(text).toContain(said);
    // Nothing is said of what an earlier version did not measure.
    expect(text).not.toMatch(/in flight|mean|first byte|opened|p75/);
    expect(heard).toEqual([]);
  });

  test('shows of a load what latencies are made of, and connections', async () => {
    const { latency } = EXAMPLE_LOAD.whole;
    const phases = { waiting: latency, firstByte: latency, download: latency };
    const whole = {
      ...EXAMPLE_LOAD.whole,
      ...{ latency: { ...latency, p75Ms: 33, meanMs: 27.5 }, requestSeconds: 40 },
      phases: { ...phases, receivedBytes: 2_500_000 },
    };
    const load = { ...EXAMPLE_LOAD, whole, connections: { opened: 12, connecting: latency } };
    const file = pageOf({ run: { ...EXAMPLE_RUN, load } });
    const { page } = await openFile(file, { width: 1280, scheme: 'light' });
    const text = (await page.locator('#run1-load').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/Requests offered sent served .* in flight whole .* 2\.0 step usual/);
    expect(text).toMatch(/Served, ms count p50 p75 .* mean whole 170 20\.0 33\.0 .* 27\.5 step/);
    expect(text).toMatch(/Made of, ms .* received MB whole .* 2\.50/);
    expect(text).toContain('12 opened, connecting 20.0 ms at p50');
  });

  test('says at its top that a run is partial', async () => {
    const file = pageOf({ run: { ...EXAMPLE_RUN, complete: false } });
    const { page } = await openFile(file, { width: 390, scheme: 'dark' });
    expect(await page.getByRole('note').textContent()).toMatch(/^Partial\..*812 exchanges/);
    await page.context().close();
  });

  test('of thousands of exchanges is there and can be filtered', async () => {
    const rules = Array.from({ length: 500 }, (_, at) =>
      ruleRow({
        ...{ id: `zap.rule-${at}`, verdict: 'fail' },
        findings: Array.from({ length: 2 }, (__, place) => ({
          ...{ pointer: '/a', expected: 'one', actual: `two ${at}`, curl: 'curl', count: 5 },
          exchanges: Array.from({ length: 5 }, (___, nth) => `x${at}-${place}-${nth}`),
        })),
      }),
    );
    const ids = rules.flatMap((rule) => rule.findings.flatMap(({ exchanges }) => exchanges));
    const text = JSON.stringify({ a: 'b'.repeat(1_500) });
    const exchanges = new Map(ids.map((id) => [id, exchangeWith(id, text)]));
    const file = pageOf({ run: { ...EXAMPLE_RUN, rules }, exchanges });
    const { page, heard } = await openFile(file, { width: 1280, scheme: 'light' });
    await page.getByRole('searchbox').fill('rule-499');
    await expect.poll(() => page.locator('.card').count()).toBe(1);
    // The one that is left stands open.
    await expect.poll(() => page.locator('.exchange').count()).toBeGreaterThan(0);
    expect(heard).toEqual([]);
    await page.context().close();
  });

  test('can be used with keys alone', async () => {
    const { page } = await open(faults, { width: 1280, scheme: 'light' });
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('To the report');
    const opener = page.getByRole('button', { name: '§2.2' });
    await opener.focus();
    await page.keyboard.press('Enter');
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    const summary = page.locator('.card > summary').nth(1);
    await summary.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.card').nth(1).getAttribute('open')).not.toBeNull();
    await page.context().close();
  });

  test('prints what broke, opened', async () => {
    const { page } = await open(faults, { width: 1280, scheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate("void dispatchEvent(new Event('beforeprint'))");
    const cards = await page.locator('.card').count();
    await expect.poll(() => page.locator('.card[open]').count()).toBe(cards);
    expect(await page.locator('.toolbar').isVisible()).toBe(false);
    await page.context().close();
  });
});

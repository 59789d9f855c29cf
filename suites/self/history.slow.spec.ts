import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumHere, openBrowser, windowOf } from '../../fixtures/browser.ts';
import { serveFaults, targetsOf } from '../../fixtures/service/faulty-service.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import type { HistoryRow } from '../../cli/tasks/history/prune-history.ts';
import { assay, scratch } from './command-line.ts';

const folder = scratch();
const chromium = chromiumHere();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FEW = ['--only', 'zap.path.*,zap.slippage.*', '--max-requests', '300'];
const RED = 'zap.path.min-return-within-amount';

let records = '';

/** A run of a service at one address, some of which has a fault. */
async function run(name: string, targets: readonly string[]): Promise<void> {
  const out = join(records, name);
  const ended = await assay(['check', ...targets, ...FEW, '--history', records, '--out', out]);
  expect([0, 1, 3], ended.said).toContain(ended.code);
}

beforeAll(async () => {
  records = join(folder(), 'records');
  const whole = await serveFaults([]);
  const targets = targetsOf(whole);
  try {
    await run('n1', targets);
    // What does not belong there is in the way of nothing.
    mkdirSync(join(records, 'broken'));
    appendFileSync(join(records, 'broken', 'run.json'), '{"rules":[]}');
    appendFileSync(join(records, 'history.ndjson'), '<script>alert(1)</script>\n');
    await run('n2', targets);
  } finally {
    await whole.close();
  }
});

describe('runs of one service with --history', () => {
  test('show the earlier ones, and name what cannot be read', () => {
    const { history, plots } = pageOf('n2');
    expect(history?.runs.map(({ name }) => name)).toEqual(['n2', 'n1']);
    expect(history?.notes.join('\n')).toMatch(/1 line of history.ndjson is no run/);
    expect(history?.notes.join('\n')).toMatch(/broken \(its run.json is no summary of a run\)/);
    expect(plots.map(({ of: kind }) => kind)).toContain('history-rules');
  });

  test('of another target are counted, and not shown', async () => {
    const faulty = await serveFaults(['zap-min-return-added']);
    try {
      await run('n3', targetsOf(faulty));
    } finally {
      await faulty.close();
    }
    const { history } = pageOf('n3');
    expect(history?.runs).toHaveLength(1);
    expect(history?.notes.join('\n')).toContain('Not shown: 2 of another target.');
    expect(history?.rules.rows.map(([, text]) => text).join('\n')).toContain(
      `${RED} at zap.quote: broken`,
    );
  });

  test('can be shown again by a report, and pruned', async () => {
    const file = join(records, 'n2.html');
    await assay(['report', join(records, 'n2'), '--history', records, '--html', file]);
    const [shown] = dataOf(readFileSync(file, 'utf8')).runs;
    expect(shown?.history?.runs.map(({ name }) => name)).toEqual(['n2', 'n1']);
    const { code, stdout } = await assay(['history', records, '--keep', '1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^began +kind +profile +outcome +musts +warnings +run +target +labels\n/,
    );
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\dZ +check +gate +\S+ +\d+ +\d+ +n1 +http/m);
    for (const keep of [['--keep', '9w'], ['--keep-red']]) {
      expect(await assay(['history', records, ...keep])).toMatchObject({ code: 2 });
    }
    expect(readdirSync(records).filter((name) => /^n\d$/.test(name))).toHaveLength(1);
    expect(existsSync(join(records, 'broken'))).toBe(true);
    const listed = await assay(['history', records, '--json']);
    const { rows } = JSON.parse(listed.stdout) as { readonly rows: readonly HistoryRow[] };
    expect(rows.map(({ run: name }) => name).slice(0, 2)).toEqual(['n1', 'n2']);
    expect(rows[0]).toMatchObject({ profile: 'gate', labels: {}, target: { kind: 'remote' } });
    expect(rows[0]?.musts).toBeTypeOf('number');
  });
});

describe.runIf(chromium !== undefined)('the page of a history, in Chromium', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(() => browser.close());

  test.each([1280, 390])('at %i px says nothing wrong, and keeps nobody out', async (width) => {
    const context = await windowOf(browser, { width, scheme: width > 600 ? 'light' : 'dark' });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) heard.push(request.url());
    });
    await page.goto(pathToFileURL(join(records, 'n2.html')).href);
    const part = page.locator('#run1-history');
    await part.getByText('Each run', { exact: true }).click();
    await part.getByRole('row').nth(2).waitFor();
    expect(await part.getByRole('row').count()).toBeGreaterThanOrEqual(3);
    expect(await part.getByRole('img').first().getAttribute('alt')).toContain('2 runs');
    await page.evaluate(AXE);
    const found = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
    );
    expect(found).toEqual([]);
    expect(heard).toEqual([]);
    await context.close();
  });
});

function pageOf(name: string): ReturnType<typeof dataOf>['runs'][number] {
  const [run] = dataOf(readFileSync(join(records, name, 'report.html'), 'utf8')).runs;
  if (run === undefined) throw new Error(`the page of ${name} shows no run`);
  return run;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { EXAMPLE_RUN } from '../../reports/example-run.testkit.ts';
import { PLACES, renderHtml } from '../../reports/html/html.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';

/** As `npm run build` makes it. */
const PAGE = readFileSync(
  join(packageRoot(import.meta.url), 'dist', 'reports', 'page.html'),
  'utf8',
);

function policyOf(html: string): Map<string, string> {
  const [, policy = ''] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  return new Map(
    policy.split('; ').map((part) => {
      const [name = '', ...values] = part.split(' ');
      return [name, values.join(' ')];
    }),
  );
}

function textsOf(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
    ([, text = '']) => text,
  );
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

test('the policy of the page allows its own script and style by digest, and nothing from elsewhere', () => {
  const [script = '', ...scripts] = textsOf(PAGE, 'script');
  const [style = '', ...styles] = textsOf(PAGE, 'style');
  expect([scripts, styles]).toEqual([[], []]);
  expect(script.length).toBeGreaterThan(10_000);
  expect(Object.fromEntries(policyOf(PAGE))).toEqual({
    'default-src': "'none'",
    'script-src': digestOf(script),
    'style-src': digestOf(style),
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
  });
});

test('the policy stands before whatever it is to hold, and nothing in the page is fetched', () => {
  const before = PAGE.slice(0, PAGE.indexOf('Content-Security-Policy'));
  expect(before).not.toMatch(/<(?:script|style|link|img)/);
  expect(PAGE.match(/ (?:src|href)="[^"]*"/g)).toEqual([' href="data:,"']);
  expect(PAGE).not.toContain(' style="');
});

test('a report keeps script and style as they were built', () => {
  const source = { run: EXAMPLE_RUN, exchanges: new Map(), leftOut: 0, name: '$& <b>' };
  const html = renderHtml([source], PAGE, { clauses: [] });
  expect(textsOf(html, 'script')).toEqual(textsOf(PAGE, 'script'));
  expect(textsOf(html, 'style')).toEqual(textsOf(PAGE, 'style'));
  expect(dataOf(html).runs[0]?.name).toBe('$& <b>');
  for (const place of Object.values(PLACES)) expect(html).not.toContain(place);
});

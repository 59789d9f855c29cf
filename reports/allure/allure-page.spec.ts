import { describe, expect, test } from 'vitest';
import { AnalyticsLeft, withoutAnalytics } from './allure-page.ts';

const COUNTS = 'www.googletagmanager.com';
const LOADER = `<script async src="https://${COUNTS}/gtag/js?id=G-ABC123"></script>`;
const TELLER = `<script>
        window.dataLayer = window.dataLayer || [];
        function gtag(){dataLayer.push(arguments);}
        gtag('config', 'G-ABC123', {
          "report": "awesome",
          "single_file": "true"
        });
    </script>`;
const APP = '<script   src="data:text/javascript;base64,YQ=="></script>';
const DATA = '<script defer>d("a.json","PHNjcmlwdD4=")</script>';
const pageOf = (...parts: readonly string[]): string =>
  [
    '<!DOCTYPE html>\n<html>\n<head>\n<title>t</title>\n</head>\n<body>',
    ...parts,
    '</body>\n',
  ].join('\n    ');

describe("a page of Allure's", () => {
  test('keeps all but its analytics', () => {
    const page = withoutAnalytics(pageOf(APP, LOADER, TELLER, DATA));
    expect(page).not.toMatch(/googletagmanager|gtag/);
    for (const part of ['<title>t</title>', APP, DATA, '</body>']) expect(page).toContain(part);
  });

  test('may load nothing from any host, and send nothing', () => {
    const [, policy = ''] =
      /<head>\n<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(
        withoutAnalytics(pageOf(APP)),
      ) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('connect-src data: blob:');
    expect(policy).not.toMatch(/https?|\*|'self'/);
  });

  test('loses no script of its own that follows another loader', () => {
    expect(withoutAnalytics(pageOf(LOADER, DATA))).toContain(DATA);
  });

  test.each([
    '<script src="https://stats.example/a.js"></script>',
    "<script async\n src='//stats.example/a.js'></script>",
    '<SCRIPT SRC=http://stats.example/a.js></SCRIPT>',
  ])('that loads a script of another host in another way is none: %s', (script) => {
    expect(() => withoutAnalytics(pageOf(LOADER, TELLER, script))).toThrow(AnalyticsLeft);
    expect(() => withoutAnalytics(pageOf(script))).toThrow('stats.example');
  });

  test('is looked at in a time that follows its length', () => {
    const long = '<script src="'.repeat(100_000) + '<script>gtag('.repeat(100_000);
    expect(withoutAnalytics(pageOf(LOADER, long))).toContain('gtag(');
  });
});

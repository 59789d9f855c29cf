import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../suites/self/command-line.ts';
import { blocksOf } from './shown-commands.ts';

/** What cmd.exe or PowerShell takes for something else than other shells, outside of double quotes. */
const NOT_EVERYWHERE = /['`<>|;#$%^()]|\\$|^\w+=/m;
/** Words that Windows has no program for. */
const UNIX_WORDS = /(?:^|&& *)(?:rm|cp|mv|mkdir|cat|sh|bash|env|export|touch|test) /m;

/** What is outside of double quotes. */
function unquoted(text: string): string {
  return text.replaceAll(/"[^"]*"/g, '""');
}

test('each shell takes the commands that the README shows', () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const shown = blocksOf(text).filter(({ info }) => /^(?:sh\b.*|)$/.test(info));
  expect(shown.length).toBeGreaterThan(4);
  const wrong = shown.filter((block) => NOT_EVERYWHERE.test(unquoted(block.text)));
  expect(wrong.map((block) => block.text)).toEqual([]);
});

test('each shell takes the scripts of package.json', () => {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts: Record<string, string> };
  const wrong = Object.values(scripts).filter((script) => {
    const plain = unquoted(script);
    return NOT_EVERYWHERE.test(plain) || UNIX_WORDS.test(plain);
  });
  expect(wrong).toEqual([]);
});

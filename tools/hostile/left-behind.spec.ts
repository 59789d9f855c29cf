import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linesOf, textsOf } from './left-behind.ts';

function fileOf(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-left-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const file = join(dir, 'file');
  writeFileSync(file, text);
  return file;
}

test('a large file is looked through in pieces, and what stands across two of them is found', () => {
  const piece = 4_194_304;
  const file = fileOf(`${'.'.repeat(piece - 3)}secret${'.'.repeat(piece)}`);
  const texts = [...textsOf(file)];
  expect(texts).toHaveLength(3);
  expect(texts.some((text) => text.includes('secret'))).toBe(true);
});

test('what is no UTF-8 is looked through byte for byte as well', () => {
  expect([...textsOf(fileOf('\ufffd'))]).toEqual(['\ufffd', 'ï¿½']);
});

test.each([
  ['nothing', ''],
  ['a line that is not whole', 'a'],
  ['a line', 'a\n'],
  ['an empty line', '\n'],
  ['a line across pieces', `a\n${'é'.repeat(3_000_000)}\nb\n\nc`],
])('lines are those of the text: %s', (_, text) => {
  expect([...linesOf(fileOf(text))]).toEqual(text.split('\n'));
});

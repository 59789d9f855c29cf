import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { firstOtherLine, recordFiles } from './record-files.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-files-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

async function marksOf(text: string | Buffer): Promise<string> {
  writeFileSync(join(root, 'a'), text);
  const [file] = await recordFiles(root);
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect(file).toMatchObject({ name: 'a', sha256 });
  return file?.lineMarks ?? '';
}

const lines = fc.array(
  fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', ' ')),
  {
    minLength: 1,
    maxLength: 20,
  },
);

test('the marks of a file find the first line that is another', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), fc.string({ minLength: 1 }), async (text, at, more) => {
      const line = at % text.length;
      const other = text.with(line, `${text[line] ?? ''}${more.replaceAll('\n', ' ')}`);
      const [one, two] = [await marksOf(text.join('\n')), await marksOf(other.join('\n'))];
      expect(firstOtherLine(one, two)).toBe(line + 1);
      expect(firstOtherLine(one, one)).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('lines are counted across pieces in which a file is read, and marked up to a bound', async () => {
  const long = Array.from({ length: 20_100 }, (_, at) => `line ${at}`);
  const was = await marksOf(long.join('\n'));
  expect(firstOtherLine(was, await marksOf(long.with(19_998, 'x').join('\n')))).toBe(19_999);
  expect(firstOtherLine(was, await marksOf(long.with(20_050, 'x').join('\n')))).toBeUndefined();
  expect(was.length).toBeLessThanOrEqual(80_000);
  expect(firstOtherLine(was, await marksOf(long.slice(0, 500).join('\n')))).toBe(501);
});

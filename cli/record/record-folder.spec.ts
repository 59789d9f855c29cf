import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newRecordFolder } from './record-folder.ts';

test('two runs of the same second have folders of their own', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-folder-'));
  const at = new Date('2026-01-02T03:04:05.678Z');
  const names = [1, 2, 3].map(() => {
    const folder = newRecordFolder(cwd, at);
    mkdirSync(folder, { recursive: true });
    return folder.slice(cwd.length);
  });
  rmSync(cwd, { recursive: true });
  const first = '/reports/out/2026-01-02T03-04-05Z';
  expect(names).toEqual([first, `${first}-2`, `${first}-3`]);
});

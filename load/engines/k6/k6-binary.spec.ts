import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findK6, K6Missing } from './k6-binary.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A program that says it is a k6, or something else. */
function saying(text: string, name = 'k6'): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho '${text}'\n`);
  chmodSync(file, 0o755);
  return file;
}

describe.skipIf(process.platform === 'win32')('k6 is found', () => {
  test('on the PATH, with its version', async () => {
    const file = saying('k6 v1.8.1 (go1.26.8, linux/amd64)');
    const found = await findK6(undefined, { PATH: `/nowhere:${folder}` });
    expect(found).toEqual({ file, version: '1.8.1' });
  });

  test('where the user says', async () => {
    const file = saying('k6.exe v2.0.0-rc1 (go1.26.8, linux/amd64)', 'other');
    expect(await findK6(file, {})).toEqual({ file, version: '2.0.0-rc1' });
  });

  test('where the user says by a relative path, as it runs in a folder of its own', async () => {
    const file = saying('k6 v1.8.1 (go1.26.8, linux/amd64)', 'relative');
    const given = path.relative(process.cwd(), file);
    expect(await findK6(given, {})).toEqual({ file, version: '1.8.1' });
    const folders = path.relative(process.cwd(), folder);
    saying('k6 v1.8.1 (go1.26.8, linux/amd64)');
    expect((await findK6(undefined, { PATH: folders })).file).toBe(path.join(folder, 'k6'));
  });

  test('or it is said how to get it', async () => {
    const none = { PATH: '/nowhere' };
    const wrong: [string | undefined, RegExp][] = [
      [undefined, /not on the PATH.*go install go\.k6\.io\/k6@v1\.8\.1.*--k6 PATH/],
      ['/nowhere/k6', /\/nowhere\/k6 is no program.*go install/],
      [folder, /is no program/],
      [saying('hello', 'odd'), /does not say which k6 it is/],
      [saying('k6 v0.49.0 (go1.21)', 'old'), /k6 0\.49\.0, which is too old/],
    ];
    for (const [given, message] of wrong) {
      await expect(findK6(given, none)).rejects.toThrow(K6Missing);
      await expect(findK6(given, none)).rejects.toThrow(message);
    }
  });
});

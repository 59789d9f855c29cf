import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf } from './package.ts';

test('the digest of programs stays with other line ends, and changes with anything else', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-digest-'));
  try {
    const digest = (text: string): string => {
      writeFileSync(join(dir, 'a.js'), text);
      return digestOf(dir);
    };
    const lf = digest('one;\nétwo;\n');
    expect(digest('one;\r\nétwo;\r\n')).toBe(lf);
    expect(digest('one;\n\nétwo;\n')).not.toBe(lf);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

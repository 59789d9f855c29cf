import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settlePackedFiles } from './packed-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-packed-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function files(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

const BUILT = [
  ...['contracts/service/clauses.yaml', 'contracts/service/openapi/zap.yaml'],
  ...['dist/cli/main.js', 'dist/k6/card.js', 'dist/packed-files.json', 'dist/reports/page.html'],
  'reports/run.schema.json',
];

test('what earlier builds and packs left is packed by no one', () => {
  const stale = ['dist/old/main.js', 'dist/old.js', 'dist/k6/old.js', 'dist/reports/old.html'];
  files(...BUILT, ...stale, 'npm-shrinkwrap.json', 'dist/reports/page.html.part');
  settlePackedFiles(root);
  for (const path of [...stale, 'dist/old', 'npm-shrinkwrap.json'])
    expect(existsSync(join(root, path)), path).toBe(false);
  for (const path of [...BUILT, 'dist/reports/page.html.part'])
    expect(existsSync(join(root, path)), path).toBe(true);
});

test('the list of packed files is that of this build', () => {
  files(...BUILT, 'dist/cli/main.js.map', 'reports/text.ts', 'reports/page/data.json');
  writeFileSync(join(root, 'dist/packed-files.json'), '["dist/cli/chunk-OLD.js"]');
  settlePackedFiles(root);
  const text = readFileSync(join(root, 'dist/packed-files.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(BUILT);
});

test('no bundled module has a letter beyond ASCII, for which V8 may keep its text at twice the size', () => {
  const dir = join(import.meta.dirname, '../../dist/cli');
  const modules = readdirSync(dir).filter((name) => name.endsWith('.js'));
  expect(modules).toContain('main.js');
  // eslint-disable-next-line no-control-regex
  const wide = modules.filter((name) => /[^\x00-\x7f]/.test(readFileSync(join(dir, name), 'utf8')));
  expect(wide).toEqual([]);
});

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placingOf } from './placing.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-placing-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const TEXT = 'openapi: 3.1.0\n';
function write(path: string, text = TEXT): string {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
  return pathToFileURL(join(root, path)).href;
}
/** A contract as a run read it, with one operation at its line 7. */
function contract(url: string) {
  const sha256 = createHash('sha256').update(TEXT).digest('hex');
  const file = { api: 'zap' as const, url, sha256, bytes: TEXT.length };
  return { contractFiles: [file], lines: [{ operation: 'zap.quote', url, line: 7 }] };
}

describe('the lines of operations', () => {
  test('are those of contracts in the checkout, from its root', () => {
    const url = write('api/zap.yaml');
    const env = { GITHUB_WORKSPACE: root };
    const { operations } = placingOf([contract(url)], { cwd: join(root, 'deep'), env });
    expect([...operations]).toEqual([['zap.quote', { path: 'api/zap.yaml', line: 7 }]]);
  });

  test('are left out if the file is another by now, is gone, is elsewhere or no file', () => {
    const around = { cwd: join(root, 'checkout'), env: {} };
    mkdirSync(around.cwd);
    const urls = [
      write('checkout/changed.yaml', `${TEXT}# more\n`),
      pathToFileURL(join(root, 'checkout', 'gone.yaml')).href,
      write('outside.yaml'),
      'http://zap.example/openapi.yaml',
      'file://elsewhere.example/zap.yaml',
    ];
    for (const url of urls) expect(placingOf([contract(url)], around).operations.size).toBe(0);
    const inside = contract(write('checkout/zap.yaml'));
    expect(placingOf([inside], around).operations.size).toBe(1);
  });

  test('are of the working directory if the checkout that is named is another', () => {
    const url = write('api/zap.yaml');
    const env = { GITHUB_WORKSPACE: join(root, 'other') };
    const { operations } = placingOf([contract(url)], { cwd: join(root, 'api'), env });
    expect(operations.get('zap.quote')?.path).toBe('zap.yaml');
  });
});

describe('all else stands', () => {
  const otherwise = (env = {}, config?: string): string | undefined =>
    placingOf([], { cwd: root, env, config }).otherwise?.path;

  test('in the configuration, before the file of the CI system', () => {
    write('.github/workflows/ci.yml');
    const env = { GITHUB_WORKFLOW_REF: 'o/r/.github/workflows/ci.yml@refs/heads/main' };
    expect(otherwise()).toBeUndefined();
    expect(otherwise(env)).toBe('.github/workflows/ci.yml');
    write('assay.config.json');
    expect(otherwise(env)).toBe('assay.config.json');
    write('conf/a.yaml');
    expect(otherwise(env, 'conf/a.yaml')).toBe('conf/a.yaml');
  });

  test('in the file of GitLab, by its usual or its own name', () => {
    write('.gitlab-ci.yml');
    write('ci/own.yml');
    expect(otherwise()).toBe('.gitlab-ci.yml');
    expect(otherwise({ CI_CONFIG_PATH: 'ci/own.yml' })).toBe('ci/own.yml');
  });

  test('never outside the checkout', () => {
    const env = { GITHUB_WORKFLOW_REF: 'o/r/../../../../../../etc/passwd@x' };
    expect(otherwise(env, '/etc/passwd')).toBeUndefined();
  });
});

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { foreignHosts } from './foreign-hosts.ts';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';

const root = path.join(import.meta.dirname, '../..');
const texts = readSources(root).filter(
  (source) =>
    /\.(?:tsx?|js|json|ya?ml|md|html|css)$/.test(source.path) &&
    source.path !== 'package-lock.json',
);

describe('no host of a real service is named', () => {
  test('in the repository', () => {
    expect(foreignHosts(texts)).toEqual([]);
  });

  // In two parts, so that the check does not see them here.
  test.each([
    'https:' + '//api.service.com/v1',
    'http:' + '//10.0.0.1:80/',
    'wss:' + '//stream.service.io',
    'https:' + '//user:word@service.org/',
    'HTTPS:' + '//Service.XYZ',
    'https:' + '//service.com${path}',
    'https:' + '//127.0.0.1.service.com',
    'https:' + '//example.com.service.net',
    'http:' + '//127.0.0.1@service.com/',
    'https:' + '//www.npmjs.com/package/a',
  ])('the check sees %s', (url) => {
    expect(foreignHosts([file('cli/a.ts', '', `const a = '${url}';`)])).toEqual([
      expect.stringContaining('cli/a.ts:2'),
    ]);
  });

  test.each([
    'http://127.0.0.1:4000/v1',
    'http://localhost',
    'http://[::1]:80/',
    'https://zap.example/v1',
    'https://api.zap.test.',
    'https://user:word@zap.invalid/',
    'https://json-schema.org/draft/2020-12/schema',
    'http://${host}:${port}/',
    'https://api.${domain}',
    'http://h',
    '{zap_url}/v1, https://<host>/',
  ])('the check takes %s', (url) => {
    expect(foreignHosts([file('cli/a.ts', `const a = '${url}';`)])).toEqual([]);
  });

  test('texts may point to documentation', () => {
    const link = 'https:' + '//www.npmjs.com/package/a';
    expect(foreignHosts([file('README.md', link)])).toEqual([]);
  });
});

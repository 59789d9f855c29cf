import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ReadContract } from '../contract-files.ts';
import { loadContract } from '../../service/load-contract.ts';
import { operationLines } from './operation-lines.ts';

const URL = 'file:///checkout/zap.yaml';
const read = (text: string, url = URL): ReadContract => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const files = [{ url, text, sha256, bytes: text.length }];
  return { api: 'zap', source: url.slice('file://'.length), url, files };
};
async function linesOf(text: string, ids: readonly string[]): Promise<Record<string, number>> {
  const files = [read(text)];
  const lines = operationLines(files, await loadContract({ files }), ids);
  expect(lines.every(({ url }) => url === URL)).toBe(true);
  return Object.fromEntries(lines.map(({ operation, line }) => [operation, line]));
}
const OK = "{ responses: { '200': { description: all } } }";

describe('the lines of operations', () => {
  test('are those of their methods, also under a server path and other names of parameters', async () => {
    const text = `openapi: 3.1.0
info: { title: t, version: '1' }
servers: [{ url: 'http://zap.example/v1' }]
paths:
  /config/chains:
    summary: get is not here
    get: ${OK}
  /extra/{other}:
    get: ${OK}
    "post": ${OK}
`;
    const ids = ['zap.chains', 'zap.get-extra-{other}', 'zap.post-extra-{other}', 'zap.quote'];
    expect(await linesOf(text, ids)).toEqual({
      'zap.chains': 7,
      'zap.get-extra-{other}': 9,
      'zap.post-extra-{other}': 10,
    });
  });

  test('are those of JSON as well, and of a path where a method stands elsewhere', async () => {
    const json = JSON.stringify(
      {
        openapi: '3.1.0',
        info: { title: 't', version: '1' },
        paths: { '/v1/extra': { get: { responses: { 200: { description: 'all' } } } } },
      },
      undefined,
      1,
    );
    expect(await linesOf(json, ['zap.get-v1-extra'])).toEqual({ 'zap.get-v1-extra': 9 });
    const yaml = `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /v1/a: &item
    get: ${OK}
  /v1/b: *item
`;
    expect(await linesOf(yaml, ['zap.get-v1-a', 'zap.get-v1-b'])).toEqual({
      'zap.get-v1-a': 5,
      'zap.get-v1-b': 6,
    });
  });

  test('are those of the contract that is judged by, if several state an operation', async () => {
    const stating = (path: string, url: string): ReadContract =>
      read(
        `openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n  ${path}:\n    get: ${OK}\n`,
        url,
      );
    const other = 'file:///checkout/other.yaml';
    const files = [stating('/extra/{one}', URL), stating('/extra/{two}', other)];
    const id = 'zap.get-extra-{one}';
    expect(operationLines(files, await loadContract({ files }), [id])).toEqual([
      { operation: id, url: other, line: 5 },
    ]);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { builtInSource } from '../../contracts/service/load-contract.ts';
import { assay, exchangesOf, runOf, scratch, verdictsOf } from './command-line.ts';

const folder = scratch();

/** A contract whose chains are a list, and that has an operation of its own. */
function otherContract(): string {
  const answers = (schema: object): object => ({
    responses: {
      '200': { description: 'as stated', content: { 'application/json': { schema } } },
    },
  });
  const file = join(folder(), 'zap.yaml');
  mkdirSync(dirname(file), { recursive: true });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Another zap API', version: '1' },
    paths: {
      '/v1/config/chains': {
        get: answers({
          type: 'object',
          required: ['data'],
          properties: { data: { type: 'array' } },
        }),
      },
      '/v1/health': {
        get: { operationId: 'health', ...answers({ type: 'object', required: ['up'] }) },
      },
    },
  };
  writeFileSync(file, stringify(document));
  return file;
}

test('a contract that is given is what the service is judged by', async () => {
  const [dir, again] = [folder(), folder()];
  const contract = `zap=${otherContract()}`;
  const only = ['--only', 'zap.chains.*,zap.providers.*,zap.health.*'];
  const { code, said } = await assay(['check', ...only, '--out', dir, '--contract', contract]);
  expect(code).toBe(1);
  const verdicts = verdictsOf(runOf(dir));
  expect(verdicts['zap.chains.response-shape']).toBe('fail');
  expect(verdicts['zap.providers.response-shape']).toBe('pass');
  expect(said).toContain('zap.chains.response-shape');

  // Its own operation is asked; the reference service does not have it, and that is reported.
  const asked = exchangesOf(dir).filter(({ request }) => request.path === '/v1/health');
  expect(new Set(asked.map(({ purpose }) => purpose.kind))).toEqual(new Set(['probe']));
  expect(verdicts['zap.health.is-there']).toBe('warn');
  expect(verdicts['zap.health.response-shape']).toBe('not-reached');

  // The record holds the contract as it was read, so judging again needs it no more.
  expect((await assay(['judge', dir])).code).toBe(1);
  // By another contract the same record conforms, and the difference is reported.
  const built = `zap=${builtInSource('zap')}`;
  const judged = await assay(['judge', dir, '--out', again, '--contract', built]);
  expect(judged.code).toBe(0);
  expect(judged.said).toContain('The run was judged by another contract when it was recorded.');
  expect(judged.said).toContain('zap.chains.response-shape (fail, now pass)');
});

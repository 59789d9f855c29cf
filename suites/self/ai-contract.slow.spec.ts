import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveFaults } from '../../fixtures/service/faulty-service.ts';
import { assay, runOf, scratch, verdictsOf } from './command-line.ts';

const folder = scratch();

/** A contract of the AI runtime of the reference service, which says how its health is reported. */
function contractOf(type: string): string {
  const dir = folder();
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'ai.json');
  const schema = { type: 'object', required: ['status'], properties: { status: { type } } };
  const content = { 'application/json': { schema } };
  const get = { operationId: 'health', responses: { 200: { description: 'Health.', content } } };
  const info = { title: 'AI runtime', version: '1' };
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/health': { get } } }));
  return file;
}

test.each([
  ['string', 0, 'pass'],
  ['number', 1, 'fail'],
])('a contract of the AI runtime is judged: a status of type %s', async (type, code, verdict) => {
  const dir = folder();
  // Of the others there is nothing to say here, and asking them takes most of a run.
  const service = await serveFaults([]);
  const target = ['--ai-url', service.urls.ai, '--ai-contract', contractOf(type)];
  const ended = await assay(['check', '--seed', '3', '--out', dir, ...target]);
  await service.close();
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining('AI runtime')]);
  expect(verdictsOf(runOf(dir))['ai.health.response-shape']).toBe(verdict);

  const again = await assay(['judge', dir, '--ai-contract', contractOf(type)]);
  expect(again.code).toBe(code);
});

test('without one its endpoints are open, and only watched', async () => {
  const dir = folder();
  const { code } = await assay(['check', '--only', 'ai', '--out', dir]);
  expect(code).toBe(0);
  const run = runOf(dir);
  expect(run.rules.filter(({ api }) => api === 'ai').map(({ id }) => id)).toEqual([
    'ai.reachable',
    'ai.errors.typed-body',
  ]);
  expect(run.ledger.find(({ id }) => id === 'ai.answers')?.observed).toContain(
    'GET /: 404 NOT_FOUND, application/json',
  );
});

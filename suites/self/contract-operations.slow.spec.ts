import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import type { Defect } from '../drive/runs-runtime.testkit.ts';
import { MOST, RUNS_CONTRACT, runsRuntime } from '../drive/runs-runtime.testkit.ts';
import { assay, exchangesOf, runOf, scratch, verdictsOf } from './command-line.ts';

const folder = scratch();

/** Serves the runtime until the test has finished; the result is its URL. */
async function serveRuns(defect: Defect): Promise<string> {
  const server = createAdaptorServer({ fetch: runsRuntime(defect) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[Defect, number, string]>([
  ['none', 0, 'pass'],
  ['numeric ids at the maximum', 1, 'fail'],
])(
  'check asks the operations of an AI contract at their edges: %s',
  async (defect, code, verdict) => {
    const dir = folder();
    mkdirSync(dir, { recursive: true });
    const contract = join(dir, 'runs.json');
    writeFileSync(contract, JSON.stringify(RUNS_CONTRACT));
    const out = join(dir, 'record');
    const target = ['--ai-url', await serveRuns(defect), '--ai-contract', contract];
    const ended = await assay(['check', '--seed', '1', '--out', out, ...target]);
    expect(ended.code, ended.stderr).toBe(code);
    const run = runOf(out);
    expect(verdictsOf(run)['ai.runs.response-shape']).toBe(verdict);
    expect(verdictsOf(run)['ai.start.response-shape']).toBe('pass');
    expect(exchangesOf(out).map(({ request }) => request.path)).toContain(`/runs?limit=${MOST}`);
    if (code === 0) return;
    const { findings = [] } = run.rules.find(({ id }) => id === 'ai.runs.response-shape') ?? {};
    expect(findings).toMatchObject([{ pointer: '/0/id', expected: 'a string', actual: '1' }]);
    expect(findings[0]?.curl).toContain(`limit=${MOST}`);
    // The record judged again says the same.
    const again = await assay(['judge', out, '--ai-contract', contract]);
    expect(again.code).toBe(1);
  },
);

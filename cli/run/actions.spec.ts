import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN } from '../../reports/example-run.testkit.ts';
import { hostileRun } from '../../reports/hostile-run.testkit.ts';
import { workflowCommands } from '../../reports/forge/workflow-commands.testkit.ts';
import { reportToActions } from './actions.ts';

let dir = '';
let summary = '';
let stderr = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-actions-'));
  summary = join(dir, 'summary.md');
  stderr = '';
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

const reported = (run: RunJson = EXAMPLE_RUN): Promise<void> => reportToActions({ run, dir });
const summarised = (): string => readFileSync(summary, 'utf8');

test('a run is added to the summary of the step, and annotated', async () => {
  writeFileSync(summary, 'what another program wrote\n');
  await reported();
  expect(summarised()).toMatch(/^what another program wrote\n\n## ✗ zap\.path\.min-return/);
  expect(workflowCommands(stderr).map(({ name, properties: { title } }) => [name, title])).toEqual([
    ['error', 'zap.path.min-return-within-amount'],
    ['warning', 'zap.errors.duplicate-keys'],
  ]);
});

test('elsewhere nothing is', async () => {
  vi.stubEnv('GITHUB_ACTIONS', '');
  await reported();
  expect([existsSync(summary), stderr]).toEqual([false, '']);
});

test('no secret of the environment is reported, nor hidden by what escapes it', async () => {
  const key = 'key_0f*6d2b%71c4';
  vi.stubEnv('ASSAY_TRADE_KEY', key);
  vi.resetModules();
  const fresh = await import('./actions.ts');
  const text = `is ${key} here`;
  const reason = { ...EXAMPLE_RUN.rules[0], verdict: 'not-reached', reason: text } as const;
  const run: RunJson = {
    ...EXAMPLE_RUN,
    outcome: 'undecided',
    rules: [{ ...reason, id: 'zap.a', level: 'must' } as RunJson['rules'][number]],
    labels: { build: text },
    notices: [text],
    failure: text,
  };
  await fresh.reportToActions({ run, dir });
  expect(summarised()).toContain('ASSAY\\_TRADE\\_KEY');
  const said = `${summarised()}${stderr}`.replaceAll('\\', '').replaceAll('%25', '%');
  expect(said).toContain('$ASSAY_TRADE_KEY');
  expect(said).not.toContain('0f*6d');
});

test('what the service says is no command', async () => {
  await reported(hostileRun('\n::error::owned\n##[error]owned'));
  const commands = workflowCommands(stderr);
  expect(commands).toHaveLength(3);
  expect(commands.filter(({ data }) => data.startsWith('owned'))).toEqual([]);
  // Somebody may print the summary into a log.
  expect(workflowCommands(summarised())).toEqual([]);
});

test('a summary that is full, or cannot be written, is reported and stops nothing', async () => {
  writeFileSync(summary, 'x'.repeat(999_999));
  await reported();
  expect(stderr).toContain('the summary of this step is full');
  expect(workflowCommands(stderr)).toHaveLength(2);
  rmSync(summary);
  mkdirSync(summary);
  stderr = '';
  await reported();
  expect(stderr).toContain('was not written: it is a folder');
  expect(workflowCommands(stderr)).toHaveLength(2);
});

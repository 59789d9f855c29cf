import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import type { DocumentApi } from '../../contracts/service/wire/apis.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { ROOT, runOf, scratch, serve } from './command-line.ts';
import { installed } from './packed-install.testkit.ts';

const folder = scratch();

/** Faults of different families, by what their rules look at. */
const CHOSEN: readonly string[] = [
  // One answer: its form, its values, its sums.
  ...['zap-quote-dust-null', 'trade-data-of-half-a-byte', 'docs-llms-missing'],
  // Two answers that are compared, until it is certain.
  ...['zap-build-with-other-actions', 'trade-minimum-grows', 'zap-slippage-capped-at-half'],
  // Lists compared with each other, as they come and go.
  ...['pools-stranger-among-filtered', 'chain-lists-leak'],
  // Inputs that are refused or taken, keys that are used twice, keys that are not asked for.
  ...['zap-amount-number-in-thousands', 'zap-key-replay-fails', 'any-words-raise-limit'],
  // Errors, of the client and of the service.
  ...['trade-stack-of-parser', 'zap-one-request-id', 'zap-into-pools-fails'],
];

interface Pasted {
  readonly code: number | null;
  readonly text: string;
}

/** Pastes a line into a shell; its record goes where nothing is left behind. */
function paste(line: string, cwd: string, out: string): Promise<Pasted> {
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', ['-c', line], {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ASSAY_OUT: out },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
    });
    let text = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    }
    shell.once('error', reject);
    shell.once('close', (code) => {
      resolve({ code, text });
    });
  });
}

/** The APIs that a rule takes: of trade, zap tells the chains, and the documentation host credentials. */
function apisOf(rule: string): readonly DocumentApi[] {
  if (rule.startsWith('zap.')) return ['zap'];
  return rule.startsWith('trade.') ? ['zap', 'trade', 'docs'] : ['docs'];
}

function rowOf(run: RunJson, rule: string): RunJson['rules'][number] | undefined {
  return run.rules.find(({ id }) => id === rule);
}

function expectShownAgain(rule: string, { code, text }: Pasted, out: string): void {
  expect(text).toContain(`shown again: ${rule}`);
  expect(text).toMatch(/^ {2}then {7}expected /m);
  expect(text).toMatch(/^ {2}now {8}expected /m);
  const { counts, replayed, rules, complete } = runOf(out);
  expect(replayed?.verdict).toBe('shown');
  expect(rules.map(({ id }) => id)).toEqual([rule]);
  expect(counts.requests).toBeLessThanOrEqual(15);
  expect(complete).toBe(true);
  expect(code).toBe(rules[0]?.level === 'must' ? 1 : 0);
}

describe('a replay line, pasted into a shell, shows its finding again within 15 requests', () => {
  let home: string;

  beforeAll(async () => {
    home = await installed();
  });

  test.concurrent.each(CHOSEN)('%s', async (id) => {
    const rule = FAULTS.find((fault) => fault.id === id)?.breaks ?? `there is no fault ${id}`;
    const { urls, process: service } = await serve(['--fault', id]);
    const targets = apisOf(rule).map((api) => `--${api}-url ${urls[api]}`);
    const [first, again] = [folder(), folder()];
    const { text } = await paste(`npx --no-install assay check ${targets.join(' ')}`, home, first);
    const line = rowOf(runOf(first), rule)?.counterexample?.command ?? '';
    expect(line).toMatch(/^npx assay check --\w+-url http:\S+ .*--replay \S+@requests:\S+$/);
    // What a person copies is the same line, whole.
    expect(text).toContain(`replay     ${line}\n`);

    expectShownAgain(rule, await paste(line, home, again), again);
    service.process.kill();
  });

  test('a checkout prints it as it is pasted there', async () => {
    const { targets, process: service } = await serve(['--fault', 'zap-pools-as-text']);
    const [first, again] = [folder(), folder()];
    await paste(`npm run -s assay -- check ${targets.join(' ')}`, ROOT, first);
    const { rules } = runOf(first);
    const [{ id, counterexample } = { id: '', counterexample: undefined }] = rules.filter(
      (row) => row.counterexample !== undefined,
    );
    expect(counterexample?.command).toMatch(/^npm run -s assay -- check --zap-url /);
    expectShownAgain(id, await paste(counterexample?.command ?? '', ROOT, again), again);
    service.process.kill();
  });
});

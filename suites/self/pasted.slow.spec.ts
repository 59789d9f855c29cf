import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFaults } from '../../fixtures/service/faulty-service.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { DocumentApi } from '../../contracts/service/wire/apis.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import type { Listening } from '../../fixtures/service/reference/listen.ts';
import { ROOT, runOf, scratch, serve } from './command-line.ts';
import { installed } from './packed-install.testkit.ts';

const folder = scratch();

/**
 * Faults of different families, by what their rules look at: those that leave each other alone are served
 * together, so that one run finds them. The APIs are those that are named to it.
 */
const SERVED: readonly (readonly [apis: readonly DocumentApi[], faults: readonly string[]])[] = [
  [['docs'], ['docs-llms-missing']],
  // One answer: its form, its values, its sums; errors, of the client and of the service.
  [
    ['zap', 'trade', 'docs'],
    [
      ...['zap-quote-dust-null', 'trade-data-of-half-a-byte', 'zap-key-replay-fails'],
      ...['trade-stack-of-parser', 'zap-one-request-id'],
    ],
  ],
  // Two answers that are compared, until it is certain; lists, and inputs that are refused or taken.
  [
    ['zap', 'trade', 'docs'],
    [
      ...['zap-build-with-other-actions', 'trade-minimum-grows', 'pools-stranger-among-filtered'],
      ...['zap-amount-number-in-thousands', 'any-words-raise-limit'],
    ],
  ],
  [['zap'], ['zap-slippage-capped-at-half', 'chain-lists-leak', 'zap-into-pools-fails']],
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

describe.each(SERVED)('of %s with %s', (apis, faults) => {
  let service: Listening;
  let home: string;
  let first: string;
  let text: string;

  beforeAll(async () => {
    home = await installed();
    service = await serveFaults(faults);
    first = folder();
    const targets = apis.map((api) => `--${api}-url ${service.urls[api]}`);
    ({ text } = await paste(`npx --no-install assay check ${targets.join(' ')}`, home, first));
  });
  afterAll(() => service.close());

  test.each(faults)(
    'the replay line for %s, pasted into a shell, shows it again within 15 requests',
    async (id) => {
      const rule = FAULTS.find((fault) => fault.id === id)?.breaks ?? `there is no fault ${id}`;
      const line = rowOf(runOf(first), rule)?.counterexample?.command ?? '';
      expect(line).toMatch(
        /^npx --no -- assay check --\w+-url http:\S+ .*--replay \S+@requests:\S+$/,
      );
      // What a person copies is the same line, whole.
      expect(text).toContain(`\n             ${line}\n`);
      const again = folder();
      expectShownAgain(rule, await paste(line, home, again), again);
    },
  );
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

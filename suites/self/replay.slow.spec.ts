import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run.ts';
import { assay, ROOT, runOf, scratch, serve } from './command-line.ts';

const folder = scratch();
const RULE = 'zap.path.min-return-honours-slippage';

interface Pasted {
  readonly code: number | null;
  readonly text: string;
}

/** Pastes a line into a shell in the checkout; its record goes where nothing is left behind. */
function paste(line: string, out: string): Promise<Pasted> {
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', ['-c', line], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ASSAY_OUT: out },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    let text = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
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

test.each([
  ['zap-min-return-of-ten-times-slippage', RULE],
  ['tokens-joined-by-or-in-lower-case', 'zap.pools.tokens-all-held'],
  ['trade-minimum-grows', 'trade.summary.slippage-lowers-min'],
  ['zap-into-pools-fails', 'zap.errors.none-of-the-service'],
])('the replay line of %s, pasted into a shell, shows it again', async (fault, rule) => {
  const { targets, process: service } = await serve(['--fault', fault]);
  const [first, again] = [folder(), folder()];
  const { stdout } = await assay(['check', '--out', first, ...targets], { cwd: ROOT });
  const { counterexample } = rowOf(runOf(first), rule) ?? {};
  const line = counterexample?.command ?? '';
  expect(line).toMatch(/^npm run -s assay -- check --zap-url http:\S+ .*--replay \S+$/);
  // What a person copies is the same line, whole.
  expect(stdout).toContain(`replay     ${line}\n`);
  expect(readFileSync(join(first, 'junit.xml'), 'utf8')).toContain(line.slice(0, 200));

  const { code, text } = await paste(line, again);
  const { counts, replayed, rules } = runOf(again);
  expect(text).toContain(`shown again: ${rule}`);
  expect(text).toMatch(/^ {2}then {7}expected /m);
  expect(text).toMatch(/^ {2}now {8}expected /m);
  expect(replayed?.verdict).toBe('shown');
  expect(rules.map(({ id }) => id)).toEqual([rule]);
  expect(counts.requests).toBeLessThanOrEqual(15);
  expect(code).toBe(rules[0]?.level === 'must' ? 1 : 0);
  service.process.kill();
});

test('a finding is kept, tried first next time, and told of; one that is mended is told so', async () => {
  const { targets } = await serve(['--fault', 'zap-min-return-of-ten-times-slippage']);
  const mended = await serve();
  const [first, next, gone, again, kept] = [folder(), folder(), folder(), folder(), folder()];
  await assay(['check', '--regressions', kept, '--out', first, ...targets]);
  const found = rowOf(runOf(first), RULE)?.counterexample;
  expect(found).toMatchObject({ differsIn: [], reproduced: { times: 3, of: 3 } });
  const [file = ''] = readdirSync(kept);
  expect(file).toMatch(new RegExp(`^${RULE}\\.[0-9a-f]{8}\\.json$`));
  const { requests } = JSON.parse(readFileSync(join(kept, file), 'utf8')) as {
    requests: { request: { path: string } }[];
  };

  const name = file.replace('.json', '');
  const { said } = await assay(['check', '--regressions', kept, '--out', next, ...targets]);
  expect(runOf(next).regressions).toEqual([{ name, rule: RULE, verdict: 'shown' }]);
  expect(said).toContain(`Earlier counterexamples ✗ still shown ${name}`);
  const [sent] = readFileSync(join(next, 'exchanges.ndjson'), 'utf8').split('\n');
  const { request } = JSON.parse(sent ?? '') as { request: { path: string } };
  expect(request.path).toBe(requests[0]?.request.path);

  await assay(['check', '--regressions', kept, '--out', gone, ...mended.targets]);
  expect(runOf(gone).regressions?.[0]).toEqual({ name, rule: RULE, verdict: 'not-shown' });

  const replay = found?.replay ?? '';
  const ended = await assay(['check', '--replay', replay, '--out', again, ...mended.targets]);
  expect(ended.said).toContain(`✓ not shown again: ${RULE}`);
  expect(ended.said).not.toContain('conforms');
  expect(ended.code).toBe(0);
  expect((await assay(['judge', again])).code).toBe(0);
});

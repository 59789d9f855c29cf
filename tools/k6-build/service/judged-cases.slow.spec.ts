import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { loadCases } from '../../../fixtures/service/cases/load-cases.ts';
import { argumentsOf } from '../../../load/engines/k6/k6.ts';
import { k6ForTests } from '../../../load/engines/k6/k6.testkit.ts';
import { bundleForK6 } from '../bundle.ts';
import { standaloneContract } from '../standalone-contract.ts';
import { judgePath, LOADED_DOCUMENTS } from '../../../load/service/k6-judge/judge-path.ts';

const binary = await k6ForTests();
const root = packageRoot(import.meta.url);
const rules = RULES.filter(({ scope }) => scope === 'exchange');

/** Ids of the rules that an exchange breaks, in Node. */
async function brokenInNode(exchanges: readonly Exchange[]): Promise<string[][]> {
  const contract = await loadContract();
  return exchanges.map((exchange) => {
    const judge = new Judge(rules, contract);
    judge.add(exchange);
    return judge
      .results()
      .filter(({ findings }) => findings.length > 0)
      .map(({ rule }) => rule.id)
      .sort();
  });
}

/** All amounts that stand in a text times 10^12: beyond 64 bits, as those of cheap tokens are. */
function inMillionsOfMillions(text: string): string {
  return text.replaceAll(/"([1-9][0-9]{5,24})"/g, '"$1000000000000"');
}

test.skipIf(binary === undefined)('a real k6 judges as Node does, large amounts too', async () => {
  const own = (await loadCases())
    .map(({ exchange }) => exchange)
    .filter(({ api }) => api === 'zap' || api === 'trade');
  const exchanges = [...own, ...own.map(enlarged)];
  const contract = await standaloneContract(LOADED_DOCUMENTS);
  const entry = path.join(root, 'tools/k6-build/service/judged-cases.testkit.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
  const files = {
    'script.js': await bundleForK6(judgePath('all'), contract, entry),
    'cases.json': JSON.stringify(exchanges),
    'config.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const args = argumentsOf({}).filter((one) => !one.startsWith('--out'));
  const said = execFileSync(
    binary?.file ?? '',
    [...args, '--log-format=raw', '--log-output=stdout'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );
  rmSync(folder, { recursive: true });
  const line = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(said)?.[1] ?? '';
  expect(line('NUMBER')).toBe('1e+25');
  const inK6 = JSON.parse(line('BROKEN')) as string[][];
  const inNode = await brokenInNode(exchanges);
  const named = (broken: readonly string[][]): unknown =>
    broken.map((ids, at) => [at, exchanges[at]?.request.path, ...ids]);
  expect(named(inK6)).toEqual(named(inNode));
  expect(inNode.flat().length).toBeGreaterThan(200);
});

/** The exchange with amounts beyond 64 bits, in request and answer. */
function enlarged(exchange: Exchange): Exchange {
  const { request, outcome } = exchange;
  const body = request.body && { ...request.body, text: inMillionsOfMillions(request.body.text) };
  if (outcome.kind === 'failure') return { ...exchange, request: { ...request, body } };
  const { response } = outcome;
  const text = inMillionsOfMillions(response.body.text);
  const answer = { ...response, body: { ...response.body, text } };
  return {
    ...exchange,
    request: { ...request, body },
    outcome: { kind: 'response', response: answer },
  };
}

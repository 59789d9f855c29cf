import { Judge } from '../../contracts/judging/judge.ts';
import { loadObservers } from '../../contracts/service/observers/observers.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';

const BODY_CHARACTERS = 4 * 1024 * 1024;
/** Every field is of a kind that no schema takes. */
const POOL =
  '{"address":17,"protocol":null,"tokens":5,"tvl":true,"apr":[],"feeTier":{"a":[1]},"extra":"x"}';
const ROUNDS = 15;

/**
 * What it costs to judge a body of which everything is broken, beside parsing it. A target chooses what
 * it sends, and a run has to end all the same.
 */
export async function measureMalformed(contract: Contract): Promise<string> {
  const pools = Array.from({ length: Math.floor(BODY_CHARACTERS / (POOL.length + 1)) }, () => POOL);
  const text = `{"status":"success","data":{"pools":[${pools.join()}]}}`;
  const exchange = answered(text);
  const observers = await loadObservers();
  const parse: number[] = [];
  const judge: number[] = [];
  let findings = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    JSON.parse(text);
    const parsed = performance.now();
    const judging = new Judge(RULES, contract, { observers });
    judging.add(exchange);
    findings = judging.results().reduce((sum, result) => sum + result.findings.length, 0);
    const judged = performance.now();
    parse.push(parsed - started);
    judge.push(judged - parsed);
  }
  const [parseMs, judgeMs] = [Math.min(...parse), Math.min(...judge)];
  const beyond = judgeMs - parseMs;
  return [
    `4 MiB of malformed pools: ${pools.length} pools, ${findings} findings`,
    `JSON.parse of the body     ${parseMs.toFixed(1)} ms`,
    `judging, beyond that parse ${beyond.toFixed(1)} ms`,
    `ratio                      ${(beyond / parseMs).toFixed(2)} (goal: at most 5)`,
    '',
  ].join('\n');
}

function answered(text: string): Exchange {
  const path = '/v1/pools?chainId=1&limit=200';
  return {
    id: 'x00001',
    api: 'zap',
    purpose: { kind: 'valid' },
    relations: [],
    request: { method: 'GET', url: `http://127.0.0.1${path}`, path, headers: [], body: null },
    outcome: {
      kind: 'response',
      response: {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: { encoding: 'utf8', text },
      },
    },
    sentAtMs: 0,
    latencyMs: 1,
  };
}

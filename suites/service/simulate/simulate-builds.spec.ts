import { expect, test } from 'vitest';
import { Judge } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { createVirtualClock } from '../../../fixtures/target/budget/virtual-clock.ts';
import { exploreInProcess } from '../../properties/in-process.ts';
import { TESTED } from '../self-test/tested.ts';

const contract = await loadContract();

test('all rules on simulated builds are reached on the chains that the embedded service makes up', async () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  let n = 1;
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => (n = (n * 1103515245 + 12345) >>> 0),
  };
  const service = TESTED.create({ kind: 'clean', id: '' }, { seed: 1, environment });
  const judge = new Judge(RULES, contract);
  const all: Exchange[] = [];
  const lines: string[] = [];
  const report = await exploreInProcess({
    driven: TESTED.driven,
    service,
    contract,
    seed: 1,
    clock,
    profile: 'gate',
    driveOnly: true,
    maxRequests: 1000,
    judge,
    onFound: () => undefined,
    listener: (exchange) => all.push(exchange),
    simulates: true,
  });
  for (const x of all.filter(({ api }) => api === 'rpc')) {
    const b =
      x.outcome.kind === 'response'
        ? x.outcome.response.body.text.slice(0, 160)
        : x.outcome.message;
    lines.push(
      `${x.id} ${x.relations.map((r) => r.group + ' ' + r.role).join()} ${x.request.url} ${JSON.parse(x.request.body?.text ?? '{}').method} ${b}`,
    );
  }
  console.log(lines.slice(0, 40).join('\n'), lines.length, all.length, report.notices);
  for (const r of judge.results().filter(({ rule }) => rule.id.includes('simulated')))
    console.log(
      r.rule.id,
      r.verdict,
      r.evidence,
      JSON.stringify(r.findings.slice(0, 2)).slice(0, 400),
    );
  expect(true).toBe(true);
}, 100_000);

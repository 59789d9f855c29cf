import { parentPort, workerData } from 'node:worker_threads';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { throttledByStatus } from '../../contracts/document/throttled-by-status.ts';
import type { Service } from '../../contracts/service-type.ts';
import { loadOwnRules } from '../../target/config/own-rules.ts';
import { afterLargeBody } from '../../target/body/large-bodies.ts';
import { livenessOf, startBeating } from '../../target/budget/liveness.ts';
import { AnswerJudge, rulesOfAnswers, warmJudging } from './answer-judge.ts';
import type { FromJudge, JudgeWorkerData, Waiting } from './judge-protocol.ts';
import { JudgedCounts } from './judged-counts.ts';

/** Judges the answers of one load run, batch by batch. */
const { service, contractFiles, rules: ids, ...rest } = workerData as JudgeWorkerData;
const { ownRules, throttleStatuses = [], liveness, warmUp, steps, counts } = rest;
startBeating(liveness);
const { SERVICE } = (await import(service)) as { readonly SERVICE: Service };
const whole = await loadContractOf(SERVICE, { files: contractFiles, isChecked: true });
const contract = throttledByStatus(whole, throttleStatuses);
const registry = SERVICE.rules.with(await loadOwnRules(ownRules, SERVICE.apis));
const known = new Map(rulesOfAnswers(registry.ofRun(contract)).map((rule) => [rule.id, rule]));
const rules = ids.map((id) => {
  const rule = known.get(id);
  if (rule === undefined) throw new Error(`no rule over single exchanges is called ${id}`);
  return rule;
});

function post(message: FromJudge): void {
  parentPort?.postMessage(message);
}

const counted = new JudgedCounts(rules.length, steps, counts);
const judge = new AnswerJudge(rules, contract, counted, livenessOf(liveness).inHand);
let judged = 0;
parentPort?.on('message', (batch: readonly Waiting[]) => {
  for (const { exchange, step } of batch) {
    const answer = judge.judge(exchange, step);
    // At once: what is known already must not be lost where judging the next one has no end.
    if (answer.isFresh || answer.broken.length > 0)
      post({ kind: 'reported', number: judged, answer });
    judged += 1;
    afterLargeBody(exchange);
  }
  post({ kind: 'judged', count: judged, crashes: judge.crashes });
});
warmJudging(rules, contract, warmUp);
post({ kind: 'ready' });

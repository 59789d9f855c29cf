import { parentPort } from 'node:worker_threads';
import { fingerprintOf } from '../../contracts/compare/fingerprint.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { installLightFetch } from '../../target/transport/light-fetch.ts';
import { runCase } from '../../suites/self-test/run-case.ts';
import type { Task } from '../../suites/self-test/self-test.ts';
import { TESTED } from '../../suites/service/self-test/tested.ts';
import type { ServiceVerdicts } from './compare-verdicts.ts';

/** What all rules say of the services that the main thread hands out, one at a time. */
installLightFetch();
const contract = await loadContract();

async function verdictsOf({ kind, id, seed, profile }: Task): Promise<ServiceVerdicts> {
  const { results, exchanges } = await runCase(TESTED, { kind, id }, seed, contract, profile);
  const fault = kind === 'fault' ? TESTED.faults.find((one) => one.id === id) : undefined;
  return {
    service: kind === 'clean' ? kind : `${kind} ${id}`,
    seed,
    ...(fault === undefined ? {} : { breaks: fault.breaks }),
    exchanges,
    rules: Object.fromEntries(
      results.map(({ rule, verdict, evidence, findings }) => [
        rule.id,
        {
          ...{ verdict, level: rule.level, evidence },
          findings: [...new Set(findings.map((one) => fingerprintOf(rule.id, one)))].sort(),
        },
      ]),
    ),
  };
}

parentPort?.on('message', (task: Task) => {
  void verdictsOf(task).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');

import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { given, omit } from '../../contracts/wire/json.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { choiceOf } from '../../target/config/config-types.ts';
import { baseUrlOf } from '../../target/config/config.ts';
import { refuseOwnService } from '../apis.ts';
import { readConfig } from '../config.ts';
import { FolderNotMade, makeFolder } from '../../target/record/make-folder.ts';
import { isLoopback, withPoliteRate } from '../../target/budget/polite-rate.ts';
import { proxiesOf } from '../../target/config/proxies.ts';
import { systemCode, systemWords } from '../../target/record/record-error.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { whyNotK6 } from '../../load/engines/k6/k6.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { CLUSTER_FILE, MANIFEST_FILE, SAMPLES_END } from '../tasks/load/cluster-plan.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { clusterName, type ClusterWish, readClusterFlags } from './k8s-flags.ts';
import { readLoadFlags } from './load-flags.ts';
import { lookAtLimits } from './load-compare.ts';
import { rateByLimits } from './load-limits.ts';
import { chooseScenario } from './load-scenario.ts';
import { neededApis, requireLoadAllowed } from './load-target.ts';
import { notify } from '../output.ts';
import { readCa } from '../read-ca.ts';
import { refuseSecrets } from '../check/refused-target.ts';
import { PREPARATION } from '../tasks/load/load-preparation.ts';
import { startTask } from '../threads/task.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/**
 * Writes what a cluster with the k6-operator needs to run a scenario. No load is sent: each request is
 * sent once, to see that it is served.
 */
export async function writeClusterRun(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const wish = readClusterFlags(flags);
  const read = readLoadFlags({ ...flags, engine: 'k6' });
  const proxies = proxiesOf(process.env);
  const written = await readConfig({
    flags: { ...omit(omit(flags, 'maxRequests'), 'maxSeconds'), contracts: contractsOf(flags) },
    env: process.env,
    cwd: process.cwd(),
    defaultSeed: randomInt(2 ** 31),
  });
  // What prepares the load keeps to it. The load itself has the consent of the owner, and its own rate.
  const config = withPoliteRate(written, proxies);
  refuseOwnService(config, 'load');
  const { limits, judgeShare, connections } = read;
  const asked = { ...read.wish, ...given({ maxRate: written.maxRate }) };
  const plain = chooseScenario({ ...asked, ...(limits && { scale: 1 }) }, config.load);
  if (limits !== undefined) await lookAtLimits(limits, createSystemClock());
  const { scenario, thresholds } =
    limits === undefined
      ? plain
      : chooseScenario(
          { ...asked, peakPerSecond: rateByLimits(plain.scenario, limits) },
          config.load,
        );
  const impossible =
    scenario.pacer === 'saturation'
      ? `the scenario ${scenario.name} keeps no schedule, which k6 cannot run`
      : whyNotK6(scenario);
  if (impossible !== undefined) throw new UsageError(impossible);
  if (config.contracts.length > 0) {
    throw new UsageError('k6 judges by the built-in contract alone: leave the contract out');
  }
  refuseSecrets(config);
  const apis = neededApis(scenario, (api) => baseUrlOf(config, api) !== undefined);
  if (apis.length === 0) {
    throw new UsageError(
      '--k8s needs a target that both this machine and the cluster reach: give --zap-url',
    );
  }
  requireLoadAllowed(config, apis, read.allowed, proxies);
  const [dir, file] = [resolve(wish.dir), join(resolve(wish.dir), MANIFEST_FILE)];
  const there = [file, join(dir, CLUSTER_FILE)].find((one) => existsSync(one));
  if (there !== undefined) throw notWritten(there, 'it is there already');
  if (apis.some((api) => isLoopback(new URL(baseUrlOf(config, api) ?? '').hostname))) {
    notify(
      'assay: the target is on this machine: in a pod of the cluster that address is the pod.',
    );
  }
  const ca = readCa(config.ca);
  for (const warning of config.warnings) notify(`assay: ${warning}`);
  const name = clusterName(scenario.name);
  const times = runTimes(processStartedMs(), PREPARATION.maxSeconds, config.timeoutMs);
  const making = startTask(
    'manifest',
    {
      ...{ config, scenario, judgeShare, connections, apis, choice: choiceOf(config) },
      runId: randomUUID(),
      thresholds: thresholds.map(({ expression }) => expression),
      cluster: { ...omit(wish, 'dir'), name, outputs: read.k6Outputs },
      ...given({ ca }),
    },
    createSystemClock(),
    times.driveEndMs,
  );
  const leave = (): void => {
    making.end('request');
  };
  const interruption = onInterruption(leave, leave);
  try {
    const ended = await making.ended;
    if (ended.kind === 'ended') {
      notify(`assay: ${WHY[ended.by]} There is no manifest.`);
      return ended.by === 'silence' || ended.by === 'memory' ? EXIT.failed : EXIT.undecided;
    }
    const { text, plan, requests, notices } = ended.value;
    for (const notice of notices) notify(`assay: ${notice}`);
    write(dir, file, text);
    write(dir, join(dir, CLUSTER_FILE), plan);
    for (const line of linesOf(wish, name, scenario.name, requests)) notify(line);
    return EXIT.conforms;
  } finally {
    interruption.end();
  }
}

const WHY: Readonly<Record<EndedBy, string>> = {
  time: 'preparing the requests did not end in its time.',
  silence: 'preparing the requests did not come to an end.',
  memory: 'preparing the requests took more memory than it may.',
  request: 'preparing the requests was interrupted.',
};

function write(dir: string, file: string, text: string): void {
  try {
    makeFolder(dir);
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (error instanceof FolderNotMade) throw new UsageError(`${dir}: ${error.message}`);
    const isThere = systemCode(error) === 'EEXIST';
    throw notWritten(file, isThere ? 'it is there already' : systemWords(error));
  }
}

function notWritten(file: string, why: string): UsageError {
  return new UsageError(
    `${file} could not be written: ${why}. Name another folder with --k8s, or remove this one.`,
  );
}

/** How to use it. */
function linesOf(
  { dir, parts, namespace, resultsClaim }: ClusterWish,
  name: string,
  scenario: string,
  requests: number,
): string[] {
  const file = join(dir, MANIFEST_FILE);
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  const kept = resultsClaim === undefined ? 'in the logs of its pods' : `on ${resultsClaim}`;
  const how = resultsClaim === undefined ? ' (kubectl logs <pod> | gzip)' : '';
  return [
    `${file}: ${scenario} by ${requests} requests, in ${parts} parts of the k6-operator. For one run: the next takes a manifest of its own.`,
    `Run it: kubectl apply --server-side -f ${file}`,
    `Watch it: kubectl get testrun${inNamespace} ${name} -w; a part that breaks a threshold ends with 99, the samples are ${kept}.`,
    `Its record: copy <pod>${SAMPLES_END} of all ${parts} parts into ${dir}${how}, then assay load --merge ${dir}`,
  ];
}

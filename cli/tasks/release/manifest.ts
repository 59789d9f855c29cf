import { setMaxListeners } from 'node:events';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { keyedCredentialOf } from '../../../suites/drive/keyed-credential.ts';
import { SERVICE as DRIVEN } from '../../driven-service.ts';
import { SERVICE } from '../../service.ts';
import type { RuleChoice } from '../../../contracts/judging/rule-choice.ts';
import type { ApiName } from '../../../contracts/wire/exchange.ts';
import { proxiesOf } from '../../../target/config/proxies.ts';
import { baseUrlOf } from '../../../target/config/config.ts';
import { createSystemClock } from '../../../target/budget/clock.ts';
import type { TargetConfig } from '../../../target/config/config-types.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { secretsOf } from '../../../target/config/secrets.ts';
import type { LoadJob } from '../../../load/engine.ts';
import {
  K6_IMAGE,
  manifestFor,
  type ManifestOptions,
} from '../../../load/engines/k6/k6-manifest.ts';
import { chooserOf } from '../../../load/scenarios/choose.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { scheduleOf } from '../../../load/scenarios/schedule.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { type ClusterPlan, manifestDigest } from '../load/cluster-plan.ts';
import { UsageError } from '../../exit-code.ts';
import { withoutSecrets } from '../../safe-text.ts';
import { loadRules } from '../load/load-rules.ts';
import { tool } from '../../package.ts';
import type { TaskSetting } from '../task-setting.ts';
import { prepareLoad } from '../load/load-preparation.ts';

/** What a manifest is made from. */
export interface ManifestInput {
  readonly config: TargetConfig;
  /** Distinguishes its run from others. */
  readonly runId: string;
  readonly choice: RuleChoice;
  readonly scenario: Scenario;
  /** As they are written. */
  readonly thresholds: readonly string[];
  /** Of the answers, from 0 to 1, that all rules on single answers judge. */
  readonly judgeShare: number;
  readonly connections: number;
  readonly apis: readonly ApiName[];
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  readonly cluster: Pick<
    ManifestOptions,
    'name' | 'parts' | 'namespace' | 'resultsClaim' | 'outputs' | 'secret'
  >;
}

/** A manifest, and what a person should know of it. */
export interface Manifest {
  readonly text: string;
  /** What is kept beside it, as JSON. */
  readonly plan: string;
  readonly requests: number;
  readonly notices: readonly string[];
}

/**
 * Prepares the requests of a scenario, each sent once, and lays them out for a cluster.
 *
 * @throws UsageError when the target served none of them
 * @throws UnfitPlan when they cannot be laid out
 */
export async function manifestTask(
  input: ManifestInput,
  { signal }: Pick<TaskSetting, 'signal'>,
): Promise<Manifest> {
  setMaxListeners(100, signal);
  const { config, scenario, apis, ca, judgeShare, runId: run } = input;
  const contract = await loadContract({ files: [], isChecked: true });
  const secrets = secretsOf(process.env);
  const redactor = createRedactor(secrets);
  const proxies = proxiesOf(process.env);
  const sender = { config, redactor, version: tool().version, run };
  const nothing = (): void => undefined;
  const { requests, notices } = await prepareLoad({
    ...{ outgoing: sender, contract, signal, scenario, say: nothing, clock: createSystemClock() },
    connecting: {
      ...(ca === undefined ? {} : { ca }),
      ...(proxies === undefined ? {} : { proxies }),
    },
    // Nothing is judged here.
    recorder: { record: nothing },
    seed: config.seed,
    apis: new Set(apis),
    known: config.known?.chains ?? [],
    keyedCredential: keyedCredentialOf(DRIVEN, secrets),
  });
  if (requests.length === 0) {
    const why = ['No request of the mix could be prepared, so there is no manifest.', ...notices];
    throw new UsageError(why.join(' '));
  }
  // Functions do not pass into pods.
  const rules = loadRules(
    SERVICE.rules,
    contract,
    { startedAt: new Date(), waivers: config.waivers, choice: input.choice },
    new Set(apis),
  );
  const job: LoadJob = {
    ...{ scenario, requests, signal, connections: input.connections },
    schedule: scheduleOf(scenario),
    choose: chooserOf(requests, scenario.mix, config.seed),
    isThrottled: contract.errors.isThrottled,
    waitIn: contract.errors.waitIn,
    ...{ timeoutMs: config.timeoutMs, maxBodyBytes: config.maxBodyBytes },
    sink: { sample: nothing },
  };
  const { text, files } = manifestFor(job, {
    ...input.cluster,
    ...{ sender, judgeShare },
    thresholds: input.thresholds.map(parseThreshold),
    rules: rules.judged.map(({ id }) => id),
  });
  const { seed, profile, labels } = config;
  const plan: ClusterPlan = {
    ...{ schemaVersion: 1, tool: tool(), manifest: { sha256: manifestDigest(text) } },
    k6: K6_IMAGE.slice(K6_IMAGE.lastIndexOf(':') + 1),
    ...{ parts: input.cluster.parts, seed, profile, labels, apis, choice: input.choice },
    target: {
      kind: 'remote',
      urls: Object.fromEntries(apis.map((api) => [api, baseUrlOf(config, api) ?? ''])),
      apis: SERVICE.apis,
      credentials: Object.keys(secrets),
    },
    contract: { sha256: contract.sha256 },
    ...{ thresholds: input.thresholds, files },
  };
  const kept = withoutSecrets(JSON.stringify(plan, undefined, 2));
  return { text, plan: `${kept}\n`, requests: requests.length, notices };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import type { Redactor } from '../../../fixtures/target/redaction/redactor.ts';
import { isSecretName } from '../../../fixtures/target/config/secrets.ts';
import { clusterObjects, memoryFor, UnfitForCluster, type ClusterRun } from '../../k6/operator.ts';
import type { LoadJob } from '../engine.ts';
import { readyVus, mostVus, scriptFolder } from './k6.ts';
import { planForK6, type K6PlanOptions, type PlannedRun } from './k6-plan.ts';

/** What a manifest is made with. */
export interface ManifestOptions
  extends
    Omit<K6PlanOptions, 'vus'>,
    Pick<
      ClusterRun,
      'name' | 'namespace' | 'parts' | 'resultsClaim' | 'outputs' | 'env' | 'image'
    > {
  /** VUs that stand ready, of all parts together; default as for one machine. */
  readonly vus?: number;
  /** The Secret of the cluster that holds what requests need. */
  readonly secret?: string;
}

/** A manifest. */
export interface LaidOut {
  readonly text: string;
  /** Those of its files that say what is sent when, by which the samples are read later. */
  readonly files: PlannedRun['files'];
}

/**
 * The manifest of a run on many machines, for `kubectl apply --server-side -f`: a ConfigMap with script and
 * plan, and a TestRun of the k6-operator. It holds no secret. Applied by the client, the ConfigMap would
 * stand in an annotation as well, and annotations hold 256 KiB.
 *
 * @throws {UnfitForCluster} when it does not fit, or a key is none that the cluster's Secret could hold
 * @throws {UnfitPlan}
 */
export function manifestFor(job: LoadJob, options: ManifestOptions): LaidOut {
  const { sender, judgeShare, parts, secret, vus } = options;
  const wish = { segment: { index: 1, of: parts }, ...(vus === undefined ? {} : { vus }) };
  const ready = readyVus(job, wish);
  const most = Math.max(ready, mostVus(job, wish));
  const { files, secrets } = planForK6(job, { ...options, vus: { ready, most } });
  const names = Object.keys(secrets);
  if (!names.every(isSecretName)) {
    throw new UnfitForCluster(
      'requests carry keys that were made up for this run, which no Secret of the cluster holds. Leave such requests out of the mix.',
    );
  }
  const script = readFileSync(
    path.join(scriptFolder(), judgeShare > 0 ? 'all.js' : 'card.js'),
    'utf8',
  );
  const objects = clusterObjects(
    {
      ...options,
      files: { 'script.js': script, ...files },
      secrets: { names, from: secret },
      memoryMebibytes: memoryFor(most, parts, judgeShare),
    },
    (text) => Buffer.byteLength(text),
  );
  const text = objects.map((one) => stringify(one, { lineWidth: 0 })).join('---\n');
  requireNoSecret(text, sender.redactor);
  return { text, files };
}

/** Once more, whatever way it might have come. */
function requireNoSecret(text: string, redactor: Redactor): void {
  if (redactor.text(text) === text) return;
  throw new UnfitForCluster('the manifest would hold a secret, so it was not made.');
}

/** What `assay load --k8s` keeps beside a manifest, so that the samples of its run become a record. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import type { RuleChoice } from '../../../contracts/judging/rule-choice.ts';
import type { RunTarget } from '../../../contracts/run/run.ts';
import type { ProfileName } from '../../../contracts/judging/profile.ts';
import type { ApiName } from '../../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { PlannedRun } from '../../../load/engines/k6/k6-plan.ts';
import { faultFinder, objectOf } from '../../../load/schema-fault.ts';
import { PLAN_FILES } from '../../../load/k6/plan.ts';
import { UsageError } from '../../exit-code.ts';
import { ROOT } from '../../package.ts';

/** The manifest that a cluster is given. */
export const MANIFEST_FILE = 'testrun.yaml';
/** What is kept beside it. */
export const CLUSTER_FILE = 'cluster.json';
/** What samples are called, in the folder to which they were copied. */
export const SAMPLES_END = '.json.gz';
/** A ConfigMap holds 1 MiB, quoted here. */
const MAX_BYTES = 8_388_608;

/** What is known of a run in a cluster before it is sent; it holds no secret. */
export interface ClusterPlan {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** Digest of the manifest as it was written. */
  readonly manifest: { readonly sha256: string };
  /** Version of the k6 that it runs. */
  readonly k6: string;
  /** Machines. */
  readonly parts: number;
  readonly seed: number;
  readonly profile: ProfileName;
  readonly choice: RuleChoice;
  readonly labels: Readonly<Record<string, string>>;
  readonly target: RunTarget;
  readonly apis: readonly ApiName[];
  readonly contract: { readonly sha256: string };
  /** As they are written. */
  readonly thresholds: readonly string[];
  /** What the pods are handed: scenario, requests, and which slot sends which. */
  readonly files: PlannedRun['files'];
}

/** Digest of a manifest, in hex. */
export function manifestDigest(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a folder is one that `--k8s` wrote. */
export function isClusterFolder(dir: string): boolean {
  return existsSync(join(dir, CLUSTER_FILE));
}

/**
 * Reads what was kept; it may come from anywhere.
 *
 * @param name of the folder as the user gave it
 * @throws UsageError when it is not what `--k8s` wrote
 */
export function readClusterPlan(dir: string, name: string): ClusterPlan {
  const json = jsonOrUndefined(textOf(join(dir, CLUSTER_FILE), join(name, CLUSTER_FILE)));
  const fault = json === undefined ? 'is no JSON' : faultOf(json);
  if (fault === undefined) return json as ClusterPlan;
  throw new UsageError(
    `${join(name, CLUSTER_FILE)} is not what assay load --k8s wrote beside the manifest: ${fault}. Copy it again.`,
  );
}

/** Whether the manifest beside it is the one that was written; undefined if there is none any more. */
export function isManifestOf(dir: string, { manifest }: ClusterPlan): boolean | undefined {
  const file = join(dir, MANIFEST_FILE);
  if (!existsSync(file)) return undefined;
  try {
    return manifestDigest(readRegularFile(file, MAX_BYTES)) === manifest.sha256;
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}

function textOf(file: string, name: string): string {
  try {
    return readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`${name} cannot be read: ${error.message}`);
  }
}

const faultOf = faultFinder(() => {
  const text = readFileSync(join(ROOT, 'reports', 'run.schema.json'), 'utf8');
  const { $defs, properties } = JSON.parse(text) as {
    readonly $defs: Readonly<Record<string, object>>;
    readonly properties: Readonly<Record<string, { readonly required?: readonly string[] }>>;
  };
  const { seed, profile, labels, target, choice } = properties;
  const text300 = { type: 'string', minLength: 1, maxLength: 300 };
  const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' };
  const own = {
    schemaVersion: { const: 1 },
    tool: objectOf({ name: text300, version: text300 }),
    manifest: objectOf({ sha256: digest }),
    k6: text300,
    parts: { type: 'integer', minimum: 1, maximum: 1000 },
    ...{ seed, profile, labels, target },
    choice: { ...choice, required: choice?.required?.filter((one) => one !== 'leftOut') },
    apis: { type: 'array', minItems: 1, uniqueItems: true, items: { $ref: '#/$defs/api' } },
    contract: objectOf({ sha256: digest }),
    thresholds: { type: 'array', maxItems: 1000, items: text300 },
    files: objectOf(Object.fromEntries(PLAN_FILES.map((name) => [name, { type: 'string' }]))),
  };
  return { ...objectOf(own), $defs };
});

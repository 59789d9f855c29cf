/** What the k6-operator runs in a cluster: a TestRun, and a ConfigMap with the script and its plan. */

import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { given, type JsonObject } from '../../../contracts/wire/json.ts';
import { isSecretName } from '../../../target/config/secrets.ts';
import { MAX_PARTS } from '../../scenarios/segment.ts';
import type { LoadJob } from '../engine.ts';
import { scriptFile, usualArguments } from './k6.ts';
import { vusFor } from './k6-options.ts';
import { type K6PlanOptions, planForK6, type PlannedRun, UnfitPlan } from './k6-plan.ts';

/** What a run in a cluster is made of. */
export interface ClusterRun {
  /** Of both objects: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly namespace?: string;
  /** Machines; each gets a segment, in the sequence of them all. */
  readonly parts: number;
  /** `script.js` and what it opens. */
  readonly files: Readonly<Record<string, string>>;
  /** Variables that requests need. */
  readonly needed: readonly string[];
  /** The Secret of the cluster that holds each of them under its name. */
  readonly secret?: string;
  /** A PersistentVolumeClaim that all parts may write to; else samples go to the logs. */
  readonly resultsClaim?: string;
  /** Further outputs of k6's own. */
  readonly outputs?: readonly string[];
  /** Of one part; see {@link memoryFor}. */
  readonly memoryMebibytes: number;
}

/** What a manifest is made with. */
export type ManifestOptions = Omit<K6PlanOptions, 'vus'> &
  Omit<ClusterRun, 'files' | 'needed' | 'memoryMebibytes'>;

/** A manifest. */
export interface LaidOut {
  readonly text: string;
  /** Those of its files that say what is sent when, by which the samples are read later. */
  readonly files: PlannedRun['files'];
}

/** Pinned: left out, the operator takes the latest. */
export const K6_IMAGE = 'grafana/k6:1.8.1';
/** The API refuses more in one ConfigMap, names counted. */
export const MAX_CONFIG_BYTES = 1_048_576;
/** Labels and names that the operator makes from it have 63 characters at most. */
const NAME = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;
const RESULTS = '/results';
/** Whose variable holds the name of the pod, which the cluster fills in. */
const POD = 'ASSAY_POD';

/**
 * The manifest of a run on many machines, for `kubectl apply --server-side -f`: a ConfigMap with script and
 * plan, and a TestRun of the k6-operator. It holds no secret. Applied by the client, the ConfigMap would
 * stand in an annotation as well, and annotations hold 256 KiB.
 *
 * @throws {UnfitPlan} also when it does not fit, or a key is none that the cluster's Secret could hold
 */
export function manifestFor(job: LoadJob, options: ManifestOptions): LaidOut {
  const { sender, judgeShare, parts } = options;
  const vus = vusFor(job, parts);
  const { files, secrets } = planForK6(job, { ...options, vus });
  const needed = Object.keys(secrets);
  if (!needed.every(isSecretName)) {
    throw new UnfitPlan(
      'requests carry keys that were made up for this run, which no Secret of the cluster holds. Leave such requests out of the mix.',
    );
  }
  const script = readFileSync(scriptFile(judgeShare), 'utf8');
  const objects = clusterObjects({
    ...options,
    files: { 'script.js': script, ...files },
    needed,
    memoryMebibytes: memoryFor(vus.most, parts, judgeShare),
  });
  const text = objects.map((one) => stringify(one, { lineWidth: 0 })).join('---\n');
  // Once more, whatever way it might have come.
  if (sender.redactor.text(text) !== text) {
    throw new UnfitPlan('the manifest would hold a secret, so it was not made.');
  }
  return { text, files };
}

/**
 * The objects of a run: a ConfigMap, then the TestRun that reads it (k6-operator, v1alpha1).
 *
 * @throws {UnfitPlan}
 */
export function clusterObjects(
  run: ClusterRun,
): readonly [configMap: JsonObject, testRun: JsonObject] {
  requireFit(run);
  const { name, namespace, files, parts, resultsClaim, outputs } = run;
  const labels = { 'app.kubernetes.io/name': 'assay', 'app.kubernetes.io/instance': name };
  const metadata = { name, ...given({ namespace }), labels };
  // Where `assay load --merge` finds the samples of each.
  const samples = resultsClaim === undefined ? '-' : `${RESULTS}/$(${POD}).json.gz`;
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files },
    {
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata,
      spec: {
        parallelism: parts,
        script: { configMap: { name, file: 'script.js' } },
        // The operator adds segment, sequence and address; it splits these at blanks.
        arguments: usualArguments(samples, outputs).join(' '),
        // Parts on one machine would share what it can do.
        separate: true,
        // What a pod has logged goes with it.
        ...(resultsClaim === undefined ? {} : { cleanup: 'post' }),
        runner: { ...podOf(run), env: variablesOf(run), ...volumesOf(resultsClaim) },
        // They only read the script, and start the others.
        initializer: podOf(run),
        starter: { metadata: { labels } },
      },
    },
  ];
}

function podOf({ memoryMebibytes }: ClusterRun): JsonObject {
  const memory = `${memoryMebibytes}Mi`;
  return {
    image: K6_IMAGE,
    resources: { requests: { cpu: '1', memory }, limits: { memory } },
  };
}

function variablesOf({ needed, secret }: ClusterRun): unknown[] {
  return [
    { name: 'TZ', value: 'UTC' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    { name: POD, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ...needed.map((name) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } })),
  ];
}

function volumesOf(claim: string | undefined): JsonObject {
  if (claim === undefined) return {};
  return {
    volumes: [{ name: 'results', persistentVolumeClaim: { claimName: claim } }],
    volumeMounts: [{ name: 'results', mountPath: RESULTS }],
  };
}

function requireFit({ name, parts, files, needed, secret, outputs = [] }: ClusterRun): void {
  if (!NAME.test(name)) {
    throw new UnfitPlan(
      `${JSON.stringify(name.slice(0, 60))} is no name for a TestRun. Use up to 40 lower-case letters, digits and hyphens, a letter first.`,
    );
  }
  if (!Number.isInteger(parts) || parts < 1 || parts > MAX_PARTS) {
    throw new UnfitPlan(`a run has from 1 to ${MAX_PARTS} parts, not ${parts}.`);
  }
  const bytes = Buffer.byteLength(Object.entries(files).flat().join(''));
  if (bytes > MAX_CONFIG_BYTES) {
    throw new UnfitPlan(
      `script and plan take ${bytes} bytes, and a ConfigMap holds ${MAX_CONFIG_BYTES}. Make the run shorter (--seconds) or slower (--rate), or its mix smaller; with --judge-share 0 the script is smaller too.`,
    );
  }
  if (needed.length > 0 && secret === undefined) {
    throw new UnfitPlan(
      `requests carry ${needed.join(', ')}, which stands in no manifest. Name the Secret of the cluster that holds it under that name (--k8s-secret).`,
    );
  }
  const blank = outputs.find((output) => /\s/.test(output));
  if (blank !== undefined) {
    throw new UnfitPlan(`the operator would take ${JSON.stringify(blank)} for several arguments.`);
  }
}

/**
 * What a part should have of memory: its VUs hold the script each, and k6 the rest.
 *
 * @param vus of the whole run
 */
function memoryFor(vus: number, parts: number, judgeShare: number): number {
  const ofOne = judgeShare > 0 ? 4 : 2;
  return Math.ceil((256 + (ofOne * vus) / parts) / 128) * 128;
}

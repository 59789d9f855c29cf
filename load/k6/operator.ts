/** What the k6-operator runs in a cluster: a TestRun, and a ConfigMap with the script and its plan. */

/** A file of the ConfigMap. */
export type ConfigFiles = Readonly<Record<string, string>>;

/** What a run in a cluster is made of. */
export interface ClusterRun {
  /** Of both objects: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly namespace?: string;
  /** Machines; each gets a segment, in the sequence of them all. */
  readonly parts: number;
  /** `script.js` and what it opens. */
  readonly files: ConfigFiles;
  /** Variables that requests need, and the Secret of the cluster that holds each under its name. */
  readonly secrets: { readonly names: readonly string[]; readonly from: string | undefined };
  /** A PersistentVolumeClaim that all parts may write to; else samples go to the logs. */
  readonly resultsClaim?: string;
  /** Further outputs of k6's own. */
  readonly outputs?: readonly string[];
  /** Variables that are not secret, e.g. where metrics are written to. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default {@link K6_IMAGE}. */
  readonly image?: string;
  /** Of one part; see {@link memoryFor}. */
  readonly memoryMebibytes?: number;
}

/** Thrown when a run cannot be put into objects of a cluster; the message says why, and what to do. */
export class UnfitForCluster extends Error {
  override readonly name = 'UnfitForCluster';
}

/** Pinned: left out, the operator takes the latest. */
export const K6_IMAGE = 'grafana/k6:1.8.1';
/** The API refuses more in one ConfigMap, names counted. */
export const MAX_CONFIG_BYTES = 1_048_576;
/** Labels and names that the operator makes from it have 63 characters at most. */
const NAME = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESULTS = '/results';
/** Whose variable holds the name of the pod, which the cluster fills in. */
const POD = 'ASSAY_POD';

/** A Kubernetes object as it is written to a manifest. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/**
 * The objects of a run: a ConfigMap, then the TestRun that reads it (k6-operator, v1alpha1).
 *
 * @param bytesOf length of a text as UTF-8
 * @throws {UnfitForCluster}
 */
export function clusterObjects(
  run: ClusterRun,
  bytesOf: (text: string) => number,
): readonly [configMap: ClusterObject, testRun: ClusterObject] {
  requireFit(run, bytesOf);
  const { name, namespace, files, parts, resultsClaim } = run;
  const labels = { 'app.kubernetes.io/name': 'assay', 'app.kubernetes.io/instance': name };
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), labels };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files },
    {
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata,
      spec: {
        parallelism: parts,
        script: { configMap: { name, file: 'script.js' } },
        arguments: argumentsOf(run).join(' '),
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

/** Where a part writes its samples, which `assay load --merge` needs of each. */
export function samplesFile(pod: string): string {
  return `${RESULTS}/${pod}.json.gz`;
}

/** The operator adds segment, sequence and address; it splits these at blanks. */
function argumentsOf({ resultsClaim, outputs = [] }: ClusterRun): string[] {
  const samples = resultsClaim === undefined ? '-' : samplesFile(`$(${POD})`);
  return [
    '--no-usage-report',
    '--quiet',
    '--summary-mode=disabled',
    `--out=json=${samples}`,
    ...outputs.map((output) => `--out=${output}`),
  ];
}

function podOf({ image = K6_IMAGE, memoryMebibytes = 1024 }: ClusterRun): Record<string, unknown> {
  const memory = `${memoryMebibytes}Mi`;
  return { image, resources: { requests: { cpu: '1', memory }, limits: { memory } } };
}

function variablesOf({ secrets, env = {} }: ClusterRun): unknown[] {
  return [
    { name: 'TZ', value: 'UTC' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    { name: POD, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ...Object.entries(env).map(([name, value]) => ({ name, value })),
    ...secrets.names.map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: secrets.from, key: name } },
    })),
  ];
}

function volumesOf(claim: string | undefined): Record<string, unknown> {
  if (claim === undefined) return {};
  return {
    volumes: [{ name: 'results', persistentVolumeClaim: { claimName: claim } }],
    volumeMounts: [{ name: 'results', mountPath: RESULTS }],
  };
}

function requireFit(run: ClusterRun, bytesOf: (text: string) => number): void {
  const { name, parts, files, secrets, outputs = [], env = {} } = run;
  if (!NAME.test(name)) {
    throw new UnfitForCluster(
      `${JSON.stringify(name.slice(0, 60))} is no name for a TestRun. Use up to 40 lower-case letters, digits and hyphens, a letter first.`,
    );
  }
  if (!Number.isInteger(parts) || parts < 1 || parts > 1000) {
    throw new UnfitForCluster(`a run has from 1 to 1000 parts, not ${parts}.`);
  }
  const bytes = Object.entries(files).reduce(
    (sum, [key, text]) => sum + bytesOf(key) + bytesOf(text),
    0,
  );
  if (bytes > MAX_CONFIG_BYTES) {
    throw new UnfitForCluster(
      `script and plan take ${bytes} bytes, and a ConfigMap holds ${MAX_CONFIG_BYTES}. Make the run shorter (--seconds) or slower (--rate), or its mix smaller; with --judge-share 0 the script is smaller too.`,
    );
  }
  if (secrets.names.length > 0 && secrets.from === undefined) {
    throw new UnfitForCluster(
      `requests carry ${secrets.names.join(', ')}, which stands in no manifest. Name the Secret of the cluster that holds it under that name (--k8s-secret).`,
    );
  }
  const odd = [...secrets.names, ...Object.keys(env)].find((one) => !VARIABLE.test(one));
  if (odd !== undefined) throw new UnfitForCluster(`${odd} is no name of a variable.`);
  const blank = outputs.find((output) => /\s/.test(output));
  if (blank !== undefined) {
    throw new UnfitForCluster(
      `the operator would take ${JSON.stringify(blank)} for several arguments.`,
    );
  }
}

/**
 * What a part should have of memory: its VUs hold the script each, and k6 the rest.
 *
 * @param vus of the whole run
 */
export function memoryFor(vus: number, parts: number, judgeShare: number): number {
  const ofOne = judgeShare > 0 ? 4 : 2;
  return Math.ceil((256 + (ofOne * vus) / parts) / 128) * 128;
}

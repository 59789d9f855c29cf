/** The flags of `assay load --k8s`, read. */

import { given } from '../../contracts/wire/json.ts';
import type { ClusterRun } from '../../load/engines/k6/k6-manifest.ts';
import { MAX_PARTS } from '../../load/scenarios/segment.ts';
import { UsageError } from '../exit-code.ts';

/** Where the manifest goes, and what it says of the cluster. */
export interface ClusterWish extends Pick<
  ClusterRun,
  'parts' | 'namespace' | 'resultsClaim' | 'secret'
> {
  /** As the user named it. */
  readonly dir: string;
}

type Flags = Readonly<Record<string, unknown>>;

/** Parts if nobody says how many. */
export const USUAL_PARTS = 2;
/** A DNS subdomain name as Kubernetes takes it (RFC 1123). */
const OBJECT_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;
const LONGEST_NAME = 253;
/** Flags that mean something only if load is sent from here, and why they mean nothing there. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  merge: 'it adds up what other runs recorded',
  segment: 'the operator gives each part its own',
  embedded: 'the cluster cannot reach the embedded service',
  out: 'it makes no record, and --k8s names the folder of the manifest',
  k6: 'the cluster runs the k6 of its image',
  throttleStatus: 'k6 takes for throttled what the document says alone',
  sourceIp: 'each part has an address of its own',
  addressHeader: 'k6 sends for one client',
};
const OF_THE_CLUSTER = ['parts', 'k8sSecret', 'k8sNamespace', 'k8sClaim'] as const;

/**
 * Reads the flags.
 *
 * @throws UsageError when one is not what it should be, or has no meaning there
 */
export function readClusterFlags(flags: Flags): ClusterWish {
  const dir = textOf(flags, 'k8s') ?? '';
  const other = Object.keys(ELSEWHERE).find((name) => flags[name] !== undefined);
  if (other !== undefined) {
    throw new UsageError(`--k8s goes without --${kebab(other)}: ${ELSEWHERE[other] ?? ''}`);
  }
  const engine = textOf(flags, 'engine');
  if (engine !== undefined && engine !== 'k6') {
    throw new UsageError(`--k8s is run by k6: leave --engine ${engine} out`);
  }
  return {
    dir,
    parts: partsOf(textOf(flags, 'parts')),
    ...given({
      secret: nameOf(flags, 'k8sSecret'),
      namespace: nameOf(flags, 'k8sNamespace'),
      resultsClaim: nameOf(flags, 'k8sClaim'),
    }),
  };
}

/**
 * Refuses flags that say how a cluster runs load if it runs here.
 *
 * @throws UsageError
 */
export function refuseClusterFlags(flags: Flags): void {
  const one = OF_THE_CLUSTER.find((name) => flags[name] !== undefined);
  if (one === undefined) return;
  throw new UsageError(`--${kebab(one)} says how a cluster runs load: give --k8s DIR with it`);
}

function partsOf(text: string | undefined): number {
  if (text === undefined) return USUAL_PARTS;
  const parts = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (parts >= 1 && parts <= MAX_PARTS) return parts;
  throw new UsageError(`--parts takes a whole number from 1 to ${MAX_PARTS}, not "${text}"`);
}

function nameOf(flags: Flags, flag: string): string | undefined {
  const name = textOf(flags, flag);
  if (name === undefined || (name.length <= LONGEST_NAME && OBJECT_NAME.test(name))) return name;
  throw new UsageError(
    `--${kebab(flag)} takes the name of an object of the cluster, not "${name.slice(0, 100)}": lower-case letters, digits, hyphens and dots`,
  );
}

/** What a scenario of any name is called in the cluster. */
export function clusterName(scenario: string): string {
  const plain = scenario.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `assay-${plain}`.slice(0, 40).replace(/-+$/, '');
}

function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

function kebab(name: string): string {
  // As the flag is written, which the digit does not divide.
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

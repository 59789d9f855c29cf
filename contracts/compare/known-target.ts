import type { KnownFile } from '../run/run-known.ts';
import type { RunJson, RunTarget } from '../run/run.ts';

type KnownTarget = NonNullable<KnownFile['target']>;

/** What a run, and a known file, is of: the label `environment` of its run, else the URLs by API, which the embedded service has none of. */
export function knownTargetOf({
  target,
  labels = {},
}: Pick<RunJson, 'labels'> & {
  readonly target: Pick<RunTarget, 'kind' | 'urls'>;
}): KnownTarget {
  const { environment } = labels;
  if (environment !== undefined) return { environment };
  return target.kind === 'reference' ? { embedded: 'service' } : target.urls;
}

/** Whether two targets are one, as far as both name the same APIs. */
export function isSameTarget(one: KnownTarget, other: KnownTarget): boolean {
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  return both.length > 0 && both.every((name) => one[name] === other[name]);
}

import { omit } from '../../contracts/wire/json.ts';

/** One package of a lockfile of npm. */
interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A lockfile of npm, as far as it matters here; the package itself stands under the empty name. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, Locked>>;
}

/** The lockfile without what only developing takes. */
export function shrinkwrapOf(lockfile: Lockfile): Lockfile {
  const kept = Object.entries(lockfile.packages).filter(([, { dev }]) => dev !== true);
  const packages = Object.fromEntries(
    kept.map(([name, locked]) => [name, omit(locked, 'devDependencies')]),
  );
  return { ...lockfile, packages };
}

import { omit } from '../../contracts/wire/json.ts';

/** One package of a lockfile of npm. */
interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
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

/**
 * The lockfile of what runs: what an install has, and what is a part of the bundle.
 *
 * @param bundled the folders of packages that are bundled, below that of the lockfile
 */
export function lockfileWith(lockfile: Lockfile, bundled: readonly string[]): Lockfile {
  const shrinkwrap = shrinkwrapOf(lockfile);
  const isBundled = new Set(bundled);
  const others = bundled.flatMap((folder): [string, Locked][] => {
    const locked = lockfile.packages[folder];
    if (locked === undefined) return [];
    // What a package does not load of its dependencies is not there.
    const dependencies = Object.entries(locked.dependencies ?? {}).filter(([name]) =>
      isBundled.has(placeOf(lockfile, folder, name)),
    );
    return [[folder, { ...omit(locked, 'dev'), dependencies: Object.fromEntries(dependencies) }]];
  });
  return { ...lockfile, packages: { ...Object.fromEntries(others), ...shrinkwrap.packages } };
}

/** Where Node finds a package that one in a folder asks for. */
function placeOf({ packages }: Lockfile, from: string, name: string): string {
  for (let folder = from; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const place = `${folder}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
  }
  return `node_modules/${name}`;
}

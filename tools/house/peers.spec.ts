import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../suites/self/command-line.ts';

/** A package of the lockfile, as far as it is looked at here. */
interface Locked {
  readonly dev?: boolean;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

test('no package that Assay runs on needs a peer, of which Yarn 1 would warn', () => {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> };
  const needed = Object.entries(packages).flatMap(([path, { dev, ...one }]) => {
    const names = dev === true ? [] : Object.keys(one.peerDependencies ?? {});
    const missing = names.filter((name) => one.peerDependenciesMeta?.[name]?.optional !== true);
    return missing.map((name) => `${path} needs ${name}`);
  });
  expect(needed).toEqual([]);
});

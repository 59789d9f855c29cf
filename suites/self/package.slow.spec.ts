import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, serve } from './command-line.ts';
import { brokenLinks } from '../../fixtures/markdown-links.ts';
import { CUT_OFF, newProject, OFFLINE, packed, run } from './packed-install.testkit.ts';

describe('the package', () => {
  let tarball: string;
  let files: string[];

  beforeAll(async () => {
    ({ tarball } = await packed());
    files = run('tar', ['-tzf', tarball], ROOT).trim().split('\n');
  });

  test('holds what it takes to run', () => {
    expect(files).toContain('package/dist/cli/main.js');
    expect(files).toContain('package/contracts/service/openapi/zap.yaml');
    expect(files).toContain('package/reports/run.schema.json');
  });

  test('holds nothing that only tests use, and no leftovers of the build', () => {
    const foreign =
      /\.spec\.|\.testkit\.|fixtures\/cases|suites\/|build\/|\.tsbuildinfo$|\.map$|reports\/out/;
    expect(files.filter((name) => foreign.test(name))).toEqual([]);
  });

  test('lists all that a command may read, by which an install is held to be whole', () => {
    const list = run('tar', ['-xzOf', tarball, 'package/dist/packed-files.json'], ROOT);
    const read = /^package\/(?:dist|contracts|reports)\/.*\.(?:c?js|json|yaml|html)$/;
    const held = files.filter((name) => read.test(name) && !name.endsWith('/sbom.cdx.json'));
    expect((JSON.parse(list) as string[]).map((name) => `package/${name}`)).toEqual(held.sort());
  });

  test('links to nothing that it does not hold', () => {
    const pages = files.filter((name) => name.endsWith('.md'));
    expect(pages).toContain('package/README.md');
    const texts = pages.map((page) => ({
      path: page,
      text: run('tar', ['-xzOf', tarball, page], ROOT),
    }));
    const broken = brokenLinks(texts, files);
    expect(broken.filter((link) => !OF_REPOSITORY.test(link))).toEqual([]);
  });

  test('says exactly which packages it runs on: as a shrinkwrap, and as a CycloneDX document', () => {
    const read = (name: string): unknown =>
      JSON.parse(run('tar', ['-xzOf', tarball, `package/${name}`], ROOT)) as unknown;
    const shrinkwrap = read('npm-shrinkwrap.json') as { packages: Record<string, Locked> };
    const bom = read('dist/sbom.cdx.json') as Bom;
    expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'assay']);
    const { '': own, ...others } = shrinkwrap.packages;
    expect(Object.keys(own?.dependencies ?? {})).toContain('jiti');
    expect(Object.values(others).filter(({ dev }) => dev === true)).toEqual([]);
    const locked = Object.entries(others).map(
      ([path, { version }]) => `${path.split('node_modules/').at(-1) ?? ''}@${version ?? ''}`,
    );
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
    expect(listed).toEqual(expect.arrayContaining(locked));
    // The others are a part of the bundle, with their licences.
    const licences = run('tar', ['-xzOf', tarball, 'package/dist/licenses.txt'], ROOT);
    const bundled = listed.filter((name) => !locked.includes(name));
    expect(bundled.map((name) => name.replace(/@[^@]*$/, ''))).toContain('ajv');
    for (const name of bundled) expect(licences).toContain(name.replace(/@([^@]*)$/, ' $1\n\n'));
  });

  test('cannot be published by its name, which is nobody’s yet', () => {
    const text = run('tar', ['-xzOf', tarball, 'package/package.json'], ROOT);
    expect((JSON.parse(text) as { private: unknown }).private).toBe(true);
  });

  test('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(2_750_000);
  });

  describe('installed in an empty folder', () => {
    let home: string;
    /** It takes long, and is the same in both files whatever the service is. */
    let isInstalledByCi = false;

    beforeAll(async () => {
      home = await newProject();
    });

    test('takes less than 45 MB with all that it needs', () => {
      const [kilobytes] = run('du', ['-sk', 'node_modules/'], home).split('\t');
      expect(Number(kilobytes)).toBeLessThan(45_000);
    });

    test('checks the reference service, and fetches nothing for it', () => {
      const args = ['--no', '--', 'assay', 'check', '--embedded', '--out', 'out'];
      const said = run('npx', args, home, CUT_OFF);
      expect(said).toMatch(/^✓ conforms: /m);
      expect(readdirSync(join(home, 'out')).sort()).toEqual([
        'exchanges.ndjson',
        'findings.ndjson',
        'junit.xml',
        'report.html',
        'run.json',
      ]);
    });

    test('has a lockfile written where there is none, as CI installs by it', async () => {
      const bare = await newProject();
      rmSync(join(bare, 'package-lock.json'));
      run('npx', ['--no', '--', 'assay', 'init'], bare, OFFLINE);
      const lockfile = readFileSync(join(bare, 'package-lock.json'), 'utf8');
      expect(lockfile).toContain('node_modules/assay');
    });

    test.each(['github', 'gitlab'] as const)(
      'writes a configuration and a CI file for %s, whose steps are green on a correct service and red on a wrong one',
      async (kind) => {
        for (const [fault, code] of [
          [[], 0],
          [['--fault', 'zap-min-return-added'], 1],
        ] as const) {
          for (const name of ['assay.config.yaml', '.github', '.gitlab-ci.yml', 'assay-out']) {
            rmSync(join(home, name), { recursive: true, force: true });
          }
          const { targets, process } = await serve(fault);
          const args = ['--no-install', 'assay', 'init', '--ci', kind, ...targets];
          const { stderr } = spawnSync('npx', args, { cwd: home, encoding: 'utf8' });
          expect(stderr).toContain('Wrote assay.config.yaml and ');
          expect(stderr).not.toContain('include:');
          // The tarball that package.json names is outside of the folder.
          expect(stderr).toMatch(/^CI has no \S+\.tgz: /m);
          expect(stderr).not.toContain('npm wrote');
          expect(() => run('npx', ['assay', 'init', '--ci', kind], home)).toThrow('there already');
          const steps = stepsOf(kind, home);
          expect(steps[0]).toBe('npm ci');
          expect(steps.at(-1)).toContain('npx --no -- assay check --out assay-out');
          // As in a checkout, if nothing is installed yet.
          if (!isInstalledByCi) unlinkSync(join(home, 'node_modules'));
          const taken = isInstalledByCi ? steps.slice(1) : steps;
          isInstalledByCi = true;
          expect(codesOf(taken, home)).toEqual(
            taken.map((_, at) => (at + 1 < taken.length ? 0 : code)),
          );
          expect(readdirSync(join(home, 'assay-out'))).toContain('junit.xml');
          const after = afterOf(kind, home);
          expect(codesOf(after, home)).toEqual(after.map(() => 0));
          if (kind === 'gitlab') {
            const text = readFileSync(join(home, 'assay-out', 'code-quality.json'), 'utf8');
            expect((JSON.parse(text) as unknown[]).length > 0).toBe(code === 1);
          }
          process.process.kill();
        }
      },
    );
  });
});

/** Pages for who works on Assay, which need a checkout anyway. */
const OF_REPOSITORY =
  /: (?:\.\.\/)*(?:(?:ARCHITECTURE|CONTRIBUTING)\.md|(?:docs\/)?(?:decisions|contributing)\/[\w-]+\.md)$/;

/** A package of a lockfile. */
interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A CycloneDX document, as far as it is looked at here. */
interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/** The commands of a CI file, in their order. */
function stepsOf(kind: 'github' | 'gitlab', home: string): string[] {
  if (kind === 'gitlab') {
    const text = readFileSync(join(home, '.gitlab-ci.yml'), 'utf8');
    return (parse(text) as { assay: { script: string[] } }).assay.script;
  }
  const text = readFileSync(join(home, '.github/workflows/assay.yml'), 'utf8');
  const { jobs } = parse(text) as { jobs: { gate: { steps: { run?: string }[] } } };
  return jobs.gate.steps.flatMap((step) => step.run ?? []);
}

/** The commands that GitLab runs whatever became of the others. */
function afterOf(kind: 'github' | 'gitlab', home: string): string[] {
  if (kind === 'github') return [];
  const text = readFileSync(join(home, '.gitlab-ci.yml'), 'utf8');
  return (parse(text) as { assay: { after_script: string[] } }).assay.after_script;
}

/** Runs the commands as CI does, until one fails; their exit codes. */
function codesOf(steps: readonly string[], cwd: string): number[] {
  const codes: number[] = [];
  for (const step of steps) {
    const env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', ASSAY_TRADE_KEY: '' },
      ...{ GITHUB_SHA: '4f2a91c', CI_COMMIT_SHA: '4f2a91c', ...OFFLINE },
      // Colours and files are those of a run of all rules.
      ASSAY_ONLY: 'zap.path.*',
    };
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', step], { cwd, env });
    codes.push(status ?? -1);
    if (status !== 0) break;
  }
  return codes;
}

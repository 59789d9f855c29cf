/** Long because the files of three services are tried in one project, which takes long to make. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { bash, type CiStep, executeSteps } from './ci-steps.testkit.ts';
import { assay, ROOT, runOf, scratch, serve } from '../command-line.ts';
import { newProject, OFFLINE, packed } from '../packed-install.testkit.ts';

const folder = scratch();
const EXAMPLES = join(ROOT, 'examples', 'ci');
const FAULT = ['--fault', 'zap-min-return-added'];

const textOf = (path: string): string => readFileSync(join(EXAMPLES, path), 'utf8');
const readOf = (path: string): unknown => parse(textOf(path)) as unknown;

interface GitLabJob {
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
}

function gitHubSteps(path: string): readonly CiStep[] {
  const { jobs } = readOf(path) as { jobs: Record<string, { steps: CiStep[] }> };
  return Object.values(jobs)[0]?.steps ?? [];
}

function gitLabJob(path: string): GitLabJob {
  const [job] = Object.values(readOf(path) as Record<string, GitLabJob>);
  if (job === undefined) throw new Error(`${path} has no job`);
  return job;
}

/** The commands of Assay in lines of a shell, without what each CI system names in its own way. */
function commandsOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.startsWith('npx --no -- assay '))
    .map((line) =>
      line
        .replace(/ \|\| test \$\{code:=\$\?\}$/, '')
        .replaceAll(/\$(?:GITHUB|CI)_(?:REF_NAME|COMMIT_TAG)/g, '$TAG')
        .replaceAll(/\$(?:GITHUB|CI_COMMIT)_SHA/g, '$SHA')
        .replaceAll(/\$(?:GITHUB_RUN_ID-\$GITHUB_RUN_ATTEMPT|CI_JOB_ID)/g, '$ID')
        .replaceAll(/ --(?:markdown|summary|junit|sarif|code-quality) \S+/g, ''),
    );
}

describe('the CI files of examples/ci', () => {
  test.each([
    ['github', '.github/workflows/assay.yml'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('for the gate are those that init writes for %s', async (kind, path) => {
    const cwd = folder();
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{ "devDependencies": { "assay": "*" } }');
    expect((await assay(['init', '--ci', kind], { cwd })).code).toBe(0);
    expect(textOf(`${kind}/gate.yml`)).toBe(readFileSync(join(cwd, path), 'utf8'));
  });

  test.each(['nightly', 'release'])('do the same for GitHub and GitLab: %s', (name) => {
    const gitHub = commandsOf(gitHubSteps(`github/${name}.yml`).flatMap(({ run }) => run ?? []));
    const { script, after_script } = gitLabJob(`gitlab/${name}.yml`);
    // Reports are built after the script there.
    expect(gitHub.sort()).toEqual(commandsOf([...script, ...after_script]).sort());
    expect(gitHub.length).toBeGreaterThan(2);
  });

  test('of a night keep it in a cache whether it was red or not', () => {
    const steps = gitHubSteps('github/nightly.yml');
    const uses = (name: string): CiStep | undefined =>
      steps.find((step) => step.uses?.startsWith(`actions/cache/${name}@`) === true);
    const [restore, save] = [uses('restore'), uses('save')];
    expect(save?.if).toBe('always()');
    expect(save?.with?.path).toBe(restore?.with?.path);
    expect(textOf('gitlab/nightly.yml')).toMatch(/cache:\n(?: {4}.*\n)*? {4}when: always\n/);
  });

  test('for GitHub have no expression in a script, if it would be read as part of it', () => {
    const files = ['gate', 'gate-by-action', 'gate-windows', 'nightly', 'release'].map(
      (name) => `github/${name}.yml`,
    );
    const scripts = files.flatMap((file) => gitHubSteps(file)).flatMap(({ run }) => run ?? []);
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

/** The installation, which `package.slow.spec.ts` runs as a CI file has it. */
const INSTALLS = 'npm ci';

/** Variables that every step has here. */
const PLAIN = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  CI: 'true',
  ASSAY_MAX_REQUESTS: '1200',
};

/** A configuration like that of the examples, for a service that is served here, with a short night. */
function configure(home: string, urls: Readonly<Record<string, string>>): void {
  const example = readOf('assay.config.yaml') as {
    load: { scenarios: { nightly: object } };
  } & Record<string, unknown>;
  const { load } = example;
  const nightly = { ...load.scenarios.nightly, steps: [{ seconds: 3, rate: 10 }] };
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl } = urls;
  const text = stringify({
    ...example,
    ...{ zapUrl, tradeUrl, docsUrl },
    load: { thresholds: ['errors<50%'], scenarios: { nightly } },
  });
  writeFileSync(join(home, 'assay.config.yaml'), text);
}

describe('with the package installed', () => {
  let copy: string;
  let home: string;

  beforeAll(async () => {
    ({ copy } = await packed());
    home = await newProject();
  });

  test('a night on GitHub is green on a correct service, and leaves its reports', async () => {
    const { urls, process: service } = await serve();
    configure(home, urls);
    writeFileSync(join(home, 'assay-known.json'), textOf('assay-known.json'));
    const summary = join(home, 'summary.md');
    const steps = gitHubSteps('github/nightly.yml');
    expect(steps.some((step) => step.run === INSTALLS)).toBe(true);
    const ended = await executeSteps(
      steps.filter((step) => step.run !== INSTALLS),
      {
        cwd: home,
        env: {
          ...PLAIN,
          ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: home },
          ...{ GITHUB_SHA: '4f2a91c', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1' },
          ALLOWED_HOST: 'zap.example',
        },
        values: { 'secrets.ASSAY_TRADE_KEY': '' },
      },
    );
    service.process.kill();
    // Of figures that were measured beside other work nobody can say whether they are good.
    const isBusy = ended.some(
      ({ step, code, said }) =>
        step.name === 'Put the service under load' &&
        code === 3 &&
        said.includes('That time is in the latencies'),
    );
    const failed = ended.filter(
      ({ code }) => code !== undefined && code !== 0 && !(isBusy && code === 3),
    );
    expect(failed.map(({ step, code, said }) => [step.name, code, said])).toEqual([]);
    expect(readdirSync(join(home, 'assay-out')).sort()).toEqual([
      ...['junit.xml', 'report.md', 'report.sarif', 'summary.md'],
    ]);
    expect(readFileSync(join(home, 'assay-out', 'report.md'), 'utf8')).toMatch(
      isBusy ? /^## \? / : /^## ✓ /,
    );
    const nights = readdirSync(join(home, 'assay-nights')).sort();
    expect(nights).toEqual(['7-1-check', '7-1-load', 'history.ndjson']);
    expect(readdirSync(join(home, 'assay-nights', '7-1-check'))).toContain('exchanges.ndjson.gz');
    expect(readFileSync(summary, 'utf8').match(/^## ✓ /gm)).toHaveLength(isBusy ? 1 : 2);
  });

  test('a release on GitLab is red on a wrong service, and leaves its reports as well', async () => {
    rmSync(join(home, 'assay-out'), { recursive: true, force: true });
    const limits = ['--zap-limit', '300/2', '--trade-limit', '300/2', '--trade-key-limit', 'none'];
    const { urls, process: service } = await serve([...FAULT, ...limits]);
    configure(home, urls);
    const { script, after_script, variables, artifacts } = gitLabJob('gitlab/release.yml');
    const tag = { CI_COMMIT_SHA: '4f2a91c', CI_COMMIT_TAG: 'v1.2.3' };
    // What is broken shows early.
    const env = { ...PLAIN, ASSAY_MAX_REQUESTS: '600', ...variables, ...tag };
    // GitLab runs the lines of a script in one shell.
    expect(script).toContain(INSTALLS);
    const lines = script.filter((line) => line !== INSTALLS);
    const red = await bash(lines.join('\n'), home, env);
    expect([red.code, red.said]).toEqual([1, expect.stringContaining('min-return') as string]);
    expect(await bash(after_script.join('\n'), home, env)).toMatchObject({ code: 0 });
    service.process.kill();
    for (const name of ['check', 'limits', 'load']) {
      expect(runOf(join(home, 'assay-out', name)).labels?.release).toBe('v1.2.3');
    }
    for (const file of Object.values(artifacts.reports))
      expect(existsSync(join(home, file))).toBe(true);
  });

  describe('the action', () => {
    interface Action {
      readonly inputs: Readonly<Record<string, { readonly default: string }>>;
      readonly runs: { readonly steps: readonly CiStep[] };
    }
    const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
    const { steps } = action.runs;

    /** Runs the action in a checkout of its own. */
    async function runAction(inputs: Readonly<Record<string, string>>) {
      const cwd = folder();
      mkdirSync(cwd, { recursive: true });
      const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
      const given = { ...(Object.fromEntries(defaults) as Record<string, string>), ...inputs };
      const ended = await executeSteps(steps, {
        cwd,
        env: {
          ...PLAIN,
          ...OFFLINE,
          ...{ GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: copy },
          ...{ GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') },
          ASSAY_ONLY: 'zap.path.*',
        },
        values: Object.fromEntries(
          Object.entries(given).map(([name, value]) => [`inputs.${name}`, value]),
        ),
      });
      return {
        cwd,
        codes: ended.map(({ code }) => code),
        said: ended.map(({ said }) => said).join('\n'),
      };
    }

    test('runs its own version, and is green on a correct service', async () => {
      const { urls, process: service } = await serve();
      const options = `--zap-url=${urls.zap}\n\n--label=what=two words; $(exit 9) "x"\n`;
      const { cwd, codes, said } = await runAction({ options });
      service.process.kill();
      expect([codes, said]).toEqual([[undefined, 0, 0, 0, undefined], said]);
      expect(runOf(join(cwd, 'assay-out')).labels).toEqual({ what: 'two words; $(exit 9) "x"' });
      expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^## ✓ conforms/);
    });

    test('is red on a wrong one, with annotations and reports', async () => {
      const { urls, process: service } = await serve(FAULT);
      const options = `--zap-url=${urls.zap}`;
      const { cwd, codes, said } = await runAction({ options, out: 'deep/out' });
      service.process.kill();
      expect([codes, said]).toEqual([[undefined, 0, 1, 0, undefined], said]);
      expect(said).toMatch(/^::error title=zap\.path\.min-return-within-amount::/m);
      for (const name of ['run.json', 'report.md', 'report.sarif', 'junit.xml']) {
        expect(existsSync(join(cwd, 'deep', 'out', name))).toBe(true);
      }
    });

    test('of wrong use ends with 2 and builds no report', async () => {
      const { cwd, codes } = await runAction({ options: '--nope' });
      expect(codes).toEqual([undefined, 0, 2, undefined, undefined]);
      expect(existsSync(join(cwd, 'assay-out'))).toBe(false);
    });

    test('has no expression in a script, names a shell for each, and keeps the record whatever comes', () => {
      const scripts = steps.filter(({ run }) => run !== undefined);
      expect(scripts.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
      expect(scripts.filter(({ shell }) => shell !== 'bash')).toEqual([]);
      const last = steps.at(-1);
      expect(last?.uses).toMatch(/^actions\/upload-artifact@[0-9a-f]{40}$/);
      expect([last?.if, last?.with?.path]).toEqual(['always()', '${{ inputs.out }}']);
    });
  });
});

test('the configuration of the examples is one that is taken', async () => {
  const cwd = folder();
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'assay.config.yaml'), textOf('assay.config.yaml'));
  // Nobody is asked: the scenario is known, and its host is not agreed to.
  const { code, said } = await assay(['load', '--scenario', 'nightly'], { cwd });
  expect(code).toBe(2);
  expect(said).toContain('--allow-load');
});

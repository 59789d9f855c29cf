import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { baseUrlOf, baseUrlsOf, type TargetConfig } from '../../fixtures/target/config/config.ts';
import { readNamedConfig } from '../config.ts';
import { makeFolder } from '../../fixtures/target/record/make-folder.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { tell } from '../output.ts';
import { tool } from '../package.ts';
import { APIS } from '../apis.ts';

/** Where CI files are looked for, and written to. */
type CiKind = 'github' | 'gitlab';

const GITLAB_FILE = '.gitlab-ci.yml';
/** Where that file is there already, and is to include this one. */
const BESIDE_GITLAB = 'assay.gitlab-ci.yml';

/** A file to be written, below the working directory. */
interface NewFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a configuration and a CI file into the working directory, from what can be found out there.
 *
 * @throws UsageError when a file would be overwritten
 * @throws ConfigError when a URL is none
 */
export async function init(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const cwd = process.cwd();
  // An own folder would be read for a configuration, which is what is to be written.
  const config = await readNamedConfig({ flags, env: process.env, cwd, defaultSeed: 0 });
  const kind = (flags.ci as CiKind | undefined) ?? ciOf(cwd);
  const files = [configurationFile(config), ciFile(kind, cwd)];
  const there = files.filter(({ path }) => isThere(join(cwd, path))).map(({ path }) => path);
  if (there.length > 0) {
    throw new UsageError(`${there.join(' and ')} is there already; nothing was written.`);
  }
  for (const { path, text } of files) {
    makeFolder(dirname(join(cwd, path)));
    writeFileSync(join(cwd, path), text, { flag: 'wx' });
  }
  const wrote = files.map(({ path }) => path).join(' and ');
  tell(`Wrote ${wrote}.${nextStep(config, files, cwd)}`);
  return EXIT.conforms;
}

/** A link that leads nowhere is there as well. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** What the folder uses already. */
function ciOf(cwd: string): CiKind {
  return existsSync(join(cwd, GITLAB_FILE)) ? 'gitlab' : 'github';
}

function nextStep(config: TargetConfig, files: readonly NewFile[], cwd: string): string {
  const hasUrl = Object.keys(baseUrlsOf(config)).length > 0;
  const fill = hasUrl ? '' : ' Fill in the URLs of the service in assay.config.yaml.';
  const include = files.some(({ path }) => path === BESIDE_GITLAB)
    ? ` Add to ${GITLAB_FILE}: include: '${BESIDE_GITLAB}'.`
    : '';
  return `${fill}${include} "${callOf(cwd)} check" checks the service here.`;
}

const URL_WORDS: Readonly<Record<string, string>> = {
  zap: 'http://zap.example',
  trade: 'http://trade.example',
  docs: 'http://docs.example',
  ai: 'http://ai.example',
};

function configurationFile(config: TargetConfig): NewFile {
  const urls = APIS.map((api) => {
    const url = baseUrlOf(config, api);
    return url === undefined ? `# ${api}Url: ${URL_WORDS[api] ?? ''}` : line(`${api}Url`, url);
  });
  const text = `# Where the service is. An API without a URL is not tested.
${urls.join('\n')}

# Other places of the same service: "--env staging" takes these values in place of those above.
# environments:
#   staging:
#     zapUrl: http://zap.staging.example

# The most that a gate may send, and how fast; uncomment to change.
# maxRequests: 1000
# maxSeconds: 600
# maxRate: 20

# Failures that are known, each with who looks after it and until when it is accepted.
# waivers:
#   - { rule: zap.quote.served, reason: being moved, owner: you, expires: 2030-01-31 }

# The key of the trade API comes from the variable ASSAY_TRADE_KEY alone, never from a file.
`;
  return { path: 'assay.config.yaml', text };
}

/** One line of YAML, whatever is in the value. */
function line(key: string, value: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}

/** How Assay is called in this folder: the version that it depends on, else this one by npx. */
function callOf(cwd: string): string {
  return dependsOnAssay(cwd) ? 'npx assay' : `npx --yes assay@${tool().version}`;
}

function dependsOnAssay(cwd: string): boolean {
  try {
    const text = readFileSync(join(cwd, 'package.json'), 'utf8');
    const { dependencies, devDependencies } = JSON.parse(text) as Record<
      string,
      Record<string, string> | undefined
    >;
    return { ...dependencies, ...devDependencies }[tool().name] !== undefined;
  } catch {
    return false;
  }
}

function ciFile(kind: CiKind, cwd: string): NewFile {
  const install = dependsOnAssay(cwd) ? ['npm ci'] : [];
  const check = (commit: string): string =>
    `${callOf(cwd)} check --out assay-out --label "commit=${commit}"`;
  if (kind === 'github') {
    const steps = install.map((run) => `      - run: ${run}\n`).join('');
    return {
      path: '.github/workflows/assay.yml',
      text: `# Checks the service against its interface document. Exit codes: 0 conforms, 1 does not, 2 wrong
# use, 3 undecided: too little is known, 4 Assay itself failed.
name: assay
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
${steps}      - name: Check the service
        run: ${check('$GITHUB_SHA')}
        env:
          ASSAY_TRADE_KEY: \${{ secrets.ASSAY_TRADE_KEY }}
      - name: Keep the record
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: assay-out
          path: assay-out
`,
    };
  }
  const script = [...install, check('$CI_COMMIT_SHA')].map((run) => `    - ${run}\n`).join('');
  return {
    path: existsSync(join(cwd, GITLAB_FILE)) ? BESIDE_GITLAB : GITLAB_FILE,
    text: `# Checks the service against its interface document. Exit codes: 0 conforms, 1 does not, 2 wrong
# use, 3 undecided: too little is known, 4 Assay itself failed. The key of the
# trade API is the masked variable ASSAY_TRADE_KEY of the project.
assay:
  image: node:22
  timeout: 15 minutes
  script:
${script}  after_script:
    - ${callOf(cwd)} report assay-out --code-quality assay-out/code-quality.json
  artifacts:
    when: always
    paths:
      - assay-out
    reports:
      junit: assay-out/junit.xml
      codequality: assay-out/code-quality.json
`,
  };
}

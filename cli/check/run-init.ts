import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { baseUrlOf, baseUrlsOf, type TargetConfig } from '../../fixtures/target/config/config.ts';
import { readNamedConfig } from '../config.ts';
import { makeFolder } from '../../fixtures/target/record/make-folder.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { tell } from '../output.ts';
import { APIS } from '../apis.ts';
import { tool } from '../package.ts';
import {
  installedFrom,
  isOfThisMachine,
  specIn,
  withDevDependency,
  writeLockfile,
} from './dev-dependency.ts';

/** Where CI files are looked for, and written to. */
type CiKind = 'github' | 'gitlab';

const MANIFEST = 'package.json';
/** What `npm ci` installs by. */
const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json'];
const GITLAB_FILE = '.gitlab-ci.yml';
/** Where that file is there already, and is to include this one. */
const BESIDE_GITLAB = 'assay.gitlab-ci.yml';

/** A file to be written, below the working directory. */
interface NewFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a configuration and a CI file into the working directory, from what can be found out there, and has its
 * package.json name where this package was installed from, if it does not.
 *
 * @throws UsageError when a file would be overwritten, or package.json is none
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
  const spec = installedFrom(cwd);
  const manifest = join(cwd, MANIFEST);
  const added = withDevDependency(
    existsSync(manifest) ? readFileSync(manifest, 'utf8') : undefined,
    spec,
  );
  for (const { path, text } of files) {
    makeFolder(dirname(join(cwd, path)));
    writeFileSync(join(cwd, path), text, { flag: 'wx' });
  }
  const wrote = files.map(({ path }) => path).join(' and ');
  tell(`Wrote ${wrote}.${nextStep(config, files, cwd)}`);
  if (added !== undefined) {
    writeFileSync(manifest, added);
    tell(`Added ${spec} to the devDependencies of ${MANIFEST}.`);
  }
  if (added !== undefined || !LOCKFILES.some((name) => existsSync(join(cwd, name)))) {
    tell(
      (await writeLockfile(cwd))
        ? 'npm wrote package-lock.json. CI installs by it: keep it in the repository.'
        : 'npm could not write package-lock.json: "npm install" does. CI installs by it: keep it in the repository.',
    );
  }
  const named = specIn(readFileSync(manifest, 'utf8')) ?? spec;
  if (isOfThisMachine(named)) {
    tell(
      `CI has no ${named.slice(5)}: keep the package in the repository, or name a git URL or a URL of a tarball in its place.`,
    );
  }
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
  const first = isInstalled(cwd) ? '' : 'Once "npm install" is done, ';
  return `${fill}${include} ${first}"${CALL} check" checks the service here.`;
}

function isInstalled(cwd: string): boolean {
  try {
    createRequire(join(cwd, MANIFEST)).resolve(`${tool().name}/package.json`);
    return true;
  } catch {
    return false;
  }
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

/** Runs what is installed in the folder, and fetches nothing. */
const CALL = 'npx --no -- assay';

function ciFile(kind: CiKind, cwd: string): NewFile {
  const check = (commit: string): string =>
    `${CALL} check --out assay-out --label "commit=${commit}"`;
  if (kind === 'github') {
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
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - run: npm ci
      - name: Check the service
        run: ${check('$GITHUB_SHA')}
        env:
          ASSAY_TRADE_KEY: \${{ secrets.ASSAY_TRADE_KEY }}
      - name: Keep the record
        if: always()
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: assay-out
          path: assay-out
`,
    };
  }
  const script = ['npm ci', check('$CI_COMMIT_SHA')].map((run) => `    - ${run}\n`).join('');
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
    - ${CALL} report assay-out --code-quality assay-out/code-quality.json
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

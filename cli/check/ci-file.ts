/** The CI file that `assay init` writes. */

import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { quote } from '../../contracts/run/curl.ts';
import type { Project } from './project.ts';

/** Where CI files are looked for, and written to. */
export type CiKind = 'github' | 'gitlab';

const GITLAB_FILE = '.gitlab-ci.yml';
/** Where that file is there already, and is to include this one. */
const BESIDE_GITLAB = 'assay.gitlab-ci.yml';

/** A file to be written. */
export interface NewFile {
  /** Below the working directory, or above it in a workspace. */
  readonly path: string;
  readonly text: string;
}

/** What the repository uses already. */
export function ciOf({ root }: Project): CiKind {
  return existsSync(join(root, GITLAB_FILE)) ? 'gitlab' : 'github';
}

/** What is left to do by hand after the file is written; a sentence, or nothing. */
export function includeOf(files: readonly NewFile[]): string {
  return files.some(({ path }) => path.endsWith(BESIDE_GITLAB))
    ? ` Add to ${GITLAB_FILE}: include: '${BESIDE_GITLAB}'.`
    : '';
}

/**
 * The file that checks a service in CI. It stands at the root of the repository, where CI systems look for it, and works
 * in the folder that has the configuration.
 */
export function ciFile(kind: CiKind, cwd: string, project: Project): NewFile {
  const { root, manager } = project;
  const place = { dir: relative(root, cwd).split(sep).join('/'), project };
  const check = (commit: string): string =>
    `${manager.call} check --out assay-out --label "commit=${commit}"`;
  const gitlab = existsSync(join(root, GITLAB_FILE)) ? BESIDE_GITLAB : GITLAB_FILE;
  const [name, text] =
    kind === 'github'
      ? ['.github/workflows/assay.yml', workflow(place, check('$GITHUB_SHA'))]
      : [gitlab, pipeline(place, check('$CI_COMMIT_SHA'))];
  return { path: relative(cwd, join(root, name)).split(sep).join('/'), text };
}

interface Place {
  /** The folder of the configuration, below the root; empty for the root. */
  readonly dir: string;
  readonly project: Project;
}

/** A scalar of YAML. */
function scalar(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}

function workflow({ dir, project }: Place, check: string): string {
  const install = project.manager.install.map((run) => `      - run: ${run}\n`).join('');
  const below =
    dir === '' ? '' : `    defaults:\n      run:\n        working-directory: ${scalar(dir)}\n`;
  return `# Checks the service against its interface document. Exit codes: 0 conforms, 1 does not, 2 wrong
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
${below}    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
${install}      - name: Check the service
        run: ${check}
        env:
          ASSAY_TRADE_KEY: \${{ secrets.ASSAY_TRADE_KEY }}
      - name: Keep the record
        if: always()
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: assay-out
          path: ${scalar(inDir(dir, 'assay-out'))}
`;
}

function pipeline({ dir, project }: Place, check: string): string {
  const { install, call } = project.manager;
  const go = dir === '' ? [] : [`cd ${quote(dir)}`];
  const lines = (runs: readonly string[]): string => runs.map((run) => `    - ${run}\n`).join('');
  const out = inDir(dir, 'assay-out');
  return `# Checks the service against its interface document. Exit codes: 0 conforms, 1 does not, 2 wrong
# use, 3 undecided: too little is known, 4 Assay itself failed. The key of the
# trade API is the masked variable ASSAY_TRADE_KEY of the project.
assay:
  image: node:22
  timeout: 15 minutes
  script:
${lines([...go, ...install, check])}  after_script:
${lines([...go, `${call} report assay-out --code-quality assay-out/code-quality.json`])}  artifacts:
    when: always
    paths:
      - ${scalar(out)}
    reports:
      junit: ${scalar(`${out}/junit.xml`)}
      codequality: ${scalar(`${out}/code-quality.json`)}
`;
}

function inDir(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`;
}

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../../contracts/document/regular-file.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { systemWords } from '../../fixtures/target/record/record-error.ts';
import { AnalyticsLeft, withoutAnalytics } from '../../reports/allure/allure-page.ts';
import { UsageError } from '../exit-code.ts';

/** The version whose pages are known. */
const MAJOR = 3;
const MAX_PAGE_BYTES = 268_435_456;
const MAX_MANIFEST_BYTES = 1_000_000;
const MAX_SAID_CHARACTERS = 500;

/** Of the environment, what a program of Node needs: no secret, and nothing that tells of a CI. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG'] as const;

/**
 * The program of the user's own Allure, from the folder upwards, as Node looks for packages.
 *
 * @throws UsageError when there is none, or one whose pages are not known
 */
export function findAllure(from: string): string {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    const home = join(dir, 'node_modules', 'allure');
    if (existsSync(join(home, 'package.json'))) return programOf(home);
    if (dir === dirname(dir)) break;
  }
  throw new UsageError(
    `--allure-page takes Allure ${MAJOR}, which is not installed in ${from}. Install it there with npm install --save-dev allure@${MAJOR}, or leave the option out: --allure writes the results without it.`,
  );
}

function programOf(home: string): string {
  const manifest = readRegularFile(join(home, 'package.json'), MAX_MANIFEST_BYTES);
  const { version, bin } = (jsonOrUndefined(manifest) ?? {}) as {
    readonly version?: unknown;
    readonly bin?: unknown;
  };
  const reported = typeof version === 'string' ? version : 'without a version';
  if (!reported.startsWith(`${MAJOR}.`) || typeof bin !== 'string') {
    throw new UsageError(
      `--allure-page takes Allure ${MAJOR}, and ${home} is Allure ${reported}. Install it with npm install --save-dev allure@${MAJOR}.`,
    );
  }
  return join(home, bin);
}

/**
 * The page that Allure makes of a folder of results, as one file without network. Neither configuration
 * nor history of the user is taken: who wants those runs Allure on the results.
 *
 * @param program of `findAllure`
 * @throws UsageError when Allure makes none in time, or one that cannot be kept from the network
 */
export async function allurePage(
  program: string,
  results: string,
  maxSeconds: number,
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-allure-'));
  try {
    const args = ['awesome', results, '--single-file', '--output', join(dir, 'page')];
    await runProgram([program, ...args, '--name', 'Assay'], dir, maxSeconds);
    return withoutAnalytics(readRegularFile(join(dir, 'page', 'index.html'), MAX_PAGE_BYTES));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof AnalyticsLeft) throw new UsageError(`--allure-page: ${error.message}.`);
    throw new UsageError(`Allure, ${program}, made no page: ${systemWords(error)}.`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function runProgram(
  words: readonly string[],
  cwd: string,
  maxSeconds: number,
): Promise<void> {
  const passed = PASSED_ON.map((name) => [name, process.env[name]] as const);
  const env = Object.fromEntries(passed.filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...env, ALLURE_NO_ANALYTICS: 'true' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: maxSeconds * 1000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MAX_SAID_CHARACTERS);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((done, failed) => {
    child.on('error', failed);
    child.on('close', (...how) => {
      done(how);
    });
  });
  if (code === 0) return;
  const how =
    signal === null
      ? `ended with code ${code}`
      : `was ended by ${signal}, which it is after ${maxSeconds} s: --max-seconds allows more`;
  throw new UsageError(
    `Allure, ${words[0]}, made no page: it ${how}. ${said.trim() === '' ? 'It said nothing.' : `It said: ${said.trim()}`}`,
  );
}

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../contracts/document/regular-file.ts';
import { systemWords } from '../../target/record/record-error.ts';
import { tempFolder } from '../../target/record/temp-folder.ts';
import { AnalyticsLeft, withoutAnalytics } from '../../reports/allure/allure-page.ts';
import { UsageError } from '../exit-code.ts';

const MAX_PAGE_BYTES = 268_435_456;
const MAX_SAID_CHARACTERS = 500;

/** Of the environment, what a program of Node needs: no secret, and nothing that shows a CI. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG'] as const;

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
  const dir = tempFolder('assay-allure-');
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

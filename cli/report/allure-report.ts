import { existsSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemWords } from '../../target/record/record-error.ts';
import { tempFolder } from '../../target/record/temp-folder.ts';
import type { ReportSource } from '../../reports/source.ts';
import { UsageError } from '../exit-code.ts';
import { withoutSecrets } from '../safe-text.ts';

type Flags = Readonly<Record<string, unknown>>;

/** What of Allure is asked for. */
export interface AllureWish {
  /** Absolute path of the folder that results go to; else one that is removed again. */
  readonly dir?: string;
  /** Absolute path of the page, and the program that makes it. */
  readonly page?: { readonly file: string; readonly program: string };
}

/**
 * What the flags ask of Allure; undefined if they ask for nothing.
 *
 * @throws UsageError when the folder holds something, or a page cannot be made
 */
export async function allureWishOf(
  { allure, allurePage }: Flags,
  cwd: string,
): Promise<AllureWish | undefined> {
  if (typeof allure !== 'string' && typeof allurePage !== 'string') return undefined;
  if (allurePage === '' || allurePage === '-') {
    throw new UsageError('--allure-page takes the name of a file');
  }
  const dir = typeof allure === 'string' ? allureFolder(allure, cwd) : undefined;
  if (typeof allurePage !== 'string') return { ...(dir === undefined ? {} : { dir }) };
  const { findAllure } = await import('./find-allure.ts');
  const page = { file: resolve(cwd, allurePage), program: findAllure(process.env.PATH) };
  return { page, ...(dir === undefined ? {} : { dir }) };
}

/**
 * The folder for results, which holds nothing yet: Allure takes a second result of a test case for a
 * retry of the first.
 *
 * @throws UsageError when it holds something, or is none
 */
export function allureFolder(given: string, cwd: string): string {
  if (given === '' || given === '-') throw new UsageError('--allure takes the name of a folder');
  const dir = resolve(cwd, given);
  if (!existsSync(dir)) return dir;
  let first: string | undefined;
  try {
    [first] = readdirSync(dir);
  } catch (error) {
    throw new UsageError(`--allure ${dir} cannot be a folder of results: ${systemWords(error)}.`);
  }
  if (first === undefined) return dir;
  throw new UsageError(
    `--allure ${dir} holds ${first} already. Allure would take results of an earlier run for retries: name a folder that is empty or not there.`,
  );
}

/**
 * Writes the results, and makes the page, if one is asked for: its text, to be written as other reports.
 *
 * @throws UsageError when the folder cannot be written, or Allure makes no page
 */
export async function makeAllure(
  { dir, page }: AllureWish,
  sources: readonly ReportSource[],
  maxSeconds: number,
): Promise<string | undefined> {
  const { writeAllure } = await import('../../reports/allure/allure.ts');
  const { FileSystemWriter } = await import('allure-js-commons/sdk/reporter');
  const into = dir ?? tempFolder('assay-allure-');
  try {
    try {
      writeAllure(sources, {
        writer: new FileSystemWriter({ resultsDir: into }),
        withoutSecrets,
      });
    } catch (error) {
      throw new UsageError(`--allure ${into} cannot be written: ${systemWords(error)}.`);
    }
    if (page === undefined) return undefined;
    const { allurePage } = await import('./allure-page.ts');
    return await allurePage(page.program, into, maxSeconds);
  } finally {
    if (dir === undefined) rmSync(into, { recursive: true, force: true });
  }
}

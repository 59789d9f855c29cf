import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** How the specs went. */
export interface SpecRun {
  readonly kind: 'passed' | 'failed' | 'endless';
  /** The names of the tests that failed; none if their file could not even be loaded. */
  readonly failed: readonly string[];
  readonly seconds: number;
  /** What each spec file took by itself, by its path; none if vitest came to no end. */
  readonly secondsOf: ReadonlyMap<string, number>;
}

/** What vitest writes as JSON, as far as it is read here. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * Runs spec files of a checkout with vitest until the first failure.
 *
 * @param limitSeconds what takes longer is ended, with all that it started
 * @param workers processes that it may use
 */
export async function runSpecs(
  folder: string,
  specs: readonly string[],
  { limitSeconds, workers }: { readonly limitSeconds: number; readonly workers: number },
): Promise<SpecRun> {
  const report = path.join(folder, 'mutation-report.json');
  rmSync(report, { force: true });
  const startedMs = performance.now();
  const vitest = path.join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const output = ['--reporter=json', `--outputFile=${report}`];
  const bounds = ['--bail=1', `--maxWorkers=${workers}`, '--no-cache'];
  const child = spawn(process.execPath, [vitest, 'run', ...output, ...bounds, ...specs], {
    cwd: folder,
    stdio: 'ignore',
    // A group of its own, so that its workers end with it.
    detached: true,
  });
  const ended = { isEndless: false };
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  };
  const timer = setTimeout(() => {
    ended.isEndless = true;
    end();
  }, limitSeconds * 1000);
  process.once('exit', end);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  process.off('exit', end);
  const seconds = (performance.now() - startedMs) / 1000;
  if (ended.isEndless) return { kind: 'endless', failed: [], seconds, secondsOf: new Map() };
  const results = existsSync(report) ? resultsIn(report) : [];
  const failed = results.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const times = results.map(({ name, startTime, endTime }): [string, number] => [
    path.relative(folder, name),
    (endTime - startTime) / 1000,
  ]);
  return { kind: code === 0 ? 'passed' : 'failed', failed, seconds, secondsOf: new Map(times) };
}

function resultsIn(file: string): VitestReport['testResults'] {
  return (JSON.parse(readFileSync(file, 'utf8')) as VitestReport).testResults;
}

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../cli/package.ts';

/** What building reports took, of the process that did it and all its threads. */
export interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most memory that was resident at once. */
  readonly peakBytes: number;
  readonly outputBytes: number;
}

/** Files of the formats; annotations go to standard output. */
const FILES: Readonly<Record<string, string>> = {
  html: 'report.html',
  markdown: 'report.md',
  sarif: 'report.sarif',
  'code-quality': 'code-quality.json',
  junit: 'junit.xml',
};
const DIST = join(ROOT, 'dist', 'cli');

/** The formats that one command builds. */
export const ALL_FORMATS: readonly string[] = [...Object.keys(FILES), 'annotations', 'allure'];

/**
 * Builds reports of a record as a person does, with the built command line in a process of its own.
 *
 * @param out a folder for them that is there
 * @throws Error when the command fails or hangs
 */
export async function buildReports(
  record: string,
  out: string,
  formats: readonly string[],
  mostSeconds: number,
): Promise<Taken> {
  const wanted = formats.flatMap((format) => {
    if (format === 'annotations') return ['--annotations'];
    return [`--${format}`, join(out, FILES[format] ?? format)];
  });
  const measured = pathToFileURL(join(ROOT, 'build', 'cli', 'bench-reports', 'measured.js')).href;
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', measured, join(DIST, 'main.js'), 'report', record, ...wanted],
    {
      cwd: out,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: mostSeconds * 1000,
      killSignal: 'SIGKILL',
    },
  );
  const texts = ['', '', '', ''];
  for (const at of [1, 2, 3]) {
    child.stdio[at]?.on('data', (chunk: Buffer) => {
      texts[at] = (texts[at] ?? '') + chunk.toString('utf8');
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  if (code !== 0) {
    throw new Error(`assay report ended with ${String(code)}: ${texts[2]?.trim() ?? ''}`);
  }
  const taken = JSON.parse(texts[3] ?? '') as Pick<Taken, 'cpuSeconds' | 'peakBytes'>;
  const files = formats.flatMap((format) => FILES[format] ?? []);
  const bytes = files.reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
  return { ...taken, seconds, outputBytes: bytes + Buffer.byteLength(texts[1] ?? '') };
}

import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { ALL_FORMATS, buildReports, type Taken } from '../bench-reports/build-reports.ts';
import { writeLargeRecord } from '../bench-reports/large-record.ts';
import { EXIT } from '../../cli/exit-code.ts';
import { print } from '../../cli/output.ts';

/** Goals for a million exchanges on two cores. Memory is held to, time depends on the machine. */
const GOAL_SECONDS = 60;
const MAX_BYTES = 512 * 2 ** 20;
/** Hanging is reported, whatever the machine. */
const PATIENCE_SECONDS = 900;
const MIN_EXCHANGES = 1_000;

interface Flags {
  readonly exchanges: string;
  readonly each?: boolean;
  readonly dir?: string;
}

const flags = new Command('bench:reports')
  .description('What building reports of a large record takes; exit 1 over 512 MiB.')
  .option('--exchanges <count>', 'exchanges of the record', '1000000')
  .option('--each', 'each format in a process of its own besides')
  .option('--dir <folder>', 'where the record is made and removed again (default: the system’s)')
  .parse()
  .opts<Flags>();
const exchanges = Number(flags.exchanges);
if (!Number.isSafeInteger(exchanges) || exchanges < MIN_EXCHANGES) {
  print(`--exchanges ${flags.exchanges} is no whole number from ${MIN_EXCHANGES} on\n`);
  process.exit(EXIT.wrongUse);
}
const place = mkdtempSync(join(flags.dir ?? tmpdir(), 'assay-bench-'));
let isOver = false;
try {
  const record = join(place, 'record');
  const startedMs = performance.now();
  const made = await writeLargeRecord(record, exchanges);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  print(
    `${made.exchanges} exchanges, ${megabytes(made.bytes)} MiB on disk, ${made.brokenRules} broken rules with ${made.findings} findings; made in ${seconds} s\n`,
  );
  print(`${''.padEnd(16)}  seconds  CPU s  peak MiB  output kB\n`);
  const sets = [ALL_FORMATS, ...(flags.each === true ? ALL_FORMATS.map((one) => [one]) : [])];
  for (const [at, formats] of sets.entries()) {
    const out = join(place, `out${at}`);
    mkdirSync(out);
    const taken = await buildReports(record, out, formats, PATIENCE_SECONDS);
    isOver ||= taken.peakBytes > MAX_BYTES;
    print(row(formats.length === 1 ? (formats[0] ?? '') : 'all formats', taken));
    rmSync(out, { recursive: true });
  }
} finally {
  rmSync(place, { recursive: true });
}
if (isOver) print(`More than ${megabytes(MAX_BYTES)} MiB were resident at once.\n`);
process.exitCode = isOver ? EXIT.doesNotConform : EXIT.conforms;

function row(name: string, { seconds, cpuSeconds, peakBytes, outputBytes }: Taken): string {
  const goal = seconds <= GOAL_SECONDS ? 'met' : 'not met';
  const figures = [
    seconds.toFixed(1).padStart(7),
    cpuSeconds.toFixed(1).padStart(5),
    megabytes(peakBytes).padStart(8),
    String(Math.round(outputBytes / 1000)).padStart(9),
  ];
  return `${name.padEnd(16)}  ${figures.join('  ')}   goal ${GOAL_SECONDS} s: ${goal}\n`;
}

function megabytes(bytes: number): string {
  return String(Math.round(bytes / 2 ** 20));
}

/**
 * `npm run bench:load`: how right the latencies of a judged load run are, on servers that know their own, beside
 * vegeta; and what a request costs, by each generator, against the same plain server, all warm: as fast as answers come,
 * and at 1,000/s, as cost falls with the rate. Every generator has a process of its own; rounds take turns, so that all
 * meet the same machine, and medians are reported.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { accuracyTable } from '../bench-load/accuracy.ts';
import { quotes } from '../bench-load/material.ts';
import { measureAccuracy } from '../bench-load/measure-accuracy.ts';
import { generatorsAtRate } from '../bench-load/measure-rate.ts';
import { ask, inProcess } from '../bench-load/processes.ts';
import { measureK6, measureWrk, programAt, type ProgramJob } from '../bench-load/programs.ts';
import type { Measured, RowJob } from '../bench-load/row.ts';
import {
  benchTable,
  type BenchLine,
  GOALS_AT_MOST,
  GOALS_AT_RATE,
  JUDGED,
  K6_CHECKS,
  UNJUDGED,
} from '../bench-load/table.ts';
import { print } from '../../cli/output.ts';

const CONNECTIONS = 32;
const USAGE =
  'usage: npm run bench:load -- [--requests N] [--rounds N] [--k6 FILE] [--wrk FILE] [--vegeta FILE] [--only costs|rate|latencies]; N from 1, --requests from 10000';

interface Flags {
  readonly requests: number;
  readonly rounds: number;
  readonly k6: string | undefined;
  readonly wrk: string | undefined;
  readonly vegeta: string | undefined;
  readonly only: string | undefined;
}

/** Ends the process with exit code 2 if a flag is none, or no number. */
function readFlags(): Flags {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '20000' },
        rounds: { type: 'string', default: '3' },
        k6: { type: 'string' },
        wrk: { type: 'string' },
        vegeta: { type: 'string' },
        only: { type: 'string' },
      },
    });
    const [requests, rounds] = [Number(values.requests), Number(values.rounds)];
    if (!(Number.isInteger(requests) && requests >= 10_000)) {
      throw new Error(`--requests ${values.requests} is too few, or no whole number`);
    }
    if (!(Number.isInteger(rounds) && rounds >= 1)) {
      throw new Error(`--rounds ${values.rounds} is no whole number from 1`);
    }
    for (const name of ['k6', 'wrk', 'vegeta'] as const) {
      const file = values[name];
      if (file !== undefined && programAt(name, file, process.env) === undefined) {
        throw new Error(`--${name} ${file}: there is no such file`);
      }
    }
    const { k6, wrk, vegeta, only } = values;
    if (only !== undefined && !['costs', 'rate', 'latencies'].includes(only)) {
      throw new Error(`--only ${only} is none of costs, rate and latencies`);
    }
    return { requests, rounds, k6, wrk, vegeta, only };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}

const measureRow = (job: RowJob): Promise<Measured> => inProcess('row.js', job);

interface Generator {
  readonly name: string;
  readonly measure: (job: ProgramJob) => Promise<Measured>;
}

const flags = readFlags();
const [k6, wrk, vegeta] = (['k6', 'wrk', 'vegeta'] as const).map((name) =>
  programAt(name, flags[name], process.env),
);
const generators: Generator[] = [
  { name: JUDGED, measure: (job) => measureRow({ ...job, generator: 'judged' }) },
  { name: UNJUDGED, measure: (job) => measureRow({ ...job, generator: 'unjudged' }) },
  { name: 'autocannon', measure: (job) => measureRow({ ...job, generator: 'autocannon' }) },
];
const missing: string[] = [];
if (k6 === undefined) {
  missing.push(
    'k6 is left out: it is neither on PATH nor in ~/go/bin. go install go.k6.io/k6@v1.8.1, or --k6 FILE.',
  );
} else {
  generators.push({ name: K6_CHECKS, measure: (job) => measureK6(k6, job) });
}
if (wrk === undefined) {
  missing.push('wrk is left out: it is not on PATH. apt-get install wrk, or --wrk FILE.');
} else {
  generators.push({
    name: 'wrk, one request, nothing read',
    measure: (job) => measureWrk(wrk, job),
  });
}

if (vegeta === undefined) {
  missing.push(
    'vegeta is left out: it is neither on PATH nor in ~/go/bin. go install github.com/tsenart/vegeta/v12@v12.13.0, or --vegeta FILE.',
  );
}

const posts = await quotes();
if (flags.only === undefined || flags.only === 'latencies') {
  print(accuracyTable(await measureAccuracy(posts, vegeta), vegeta && 'vegeta'));
}
if (flags.only !== 'latencies') await measureCosts();
for (const sentence of missing) print(`${sentence}\n`);

async function measureCosts(): Promise<void> {
  const server = fork(new URL('../bench-load/server.js', import.meta.url));
  const port = (await ask(server, posts)) as number;
  const target = {
    url: `http://127.0.0.1:${port}`,
    posts: posts.map(({ path, body }) => ({ path, body })),
  };
  const job = { ...target, warmUp: 5_000, requests: flags.requests, connections: CONNECTIONS };
  const answers = posts.flatMap((post) => post.answers);
  const characters = answers.reduce((sum, { length }) => sum + length, 0) / answers.length;
  print(
    `${posts.length} different requests for quotes, ${answers.length} different answers of ${Math.round(characters)} characters, median of ${flags.rounds}\n`,
  );
  try {
    if (flags.only !== 'rate') {
      print(`${CONNECTIONS} connections, ${job.requests} requests after ${job.warmUp}\n`);
      print(benchTable(await inRounds(generators, job), GOALS_AT_MOST));
    }
    if (flags.only !== 'costs') {
      print('1,000 requests a second\n');
      print(benchTable(await inRounds(generatorsAtRate({ k6, vegeta }), target), GOALS_AT_RATE));
    }
  } finally {
    server.kill();
  }
}

/** Rounds take turns. */
async function inRounds<Job>(
  of: readonly { readonly name: string; readonly measure: (job: Job) => Promise<Measured> }[],
  job: Job,
): Promise<BenchLine[]> {
  const lines = of.map(({ name, measure }) => ({ name, measure, rounds: [] as Measured[] }));
  for (let round = 0; round < flags.rounds; round += 1) {
    for (const { name, measure, rounds } of lines) {
      // Of one that does not get through, as on a machine that is too busy, the others know nothing.
      try {
        rounds.push(await measure(job));
      } catch (error) {
        process.exitCode = 1;
        const why = error instanceof Error ? error.message : String(error);
        missing.push(`${name} is not in round ${round + 1}: ${why}`);
      }
    }
  }
  return lines.filter(({ rounds }) => rounds.length > 0);
}

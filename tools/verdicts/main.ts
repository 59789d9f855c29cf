/**
 * `npm run verdicts -- FILE`: writes what each rule says of the clean service, each fault and each variant; and
 * `npm run verdicts -- --compare FILE FILE`: shows what has changed from one commit to another, with exit code 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { partOfList, segmentOf } from '../../load/scenarios/segment.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import { tasksOf } from '../../suites/self-test/self-test.ts';
import { TESTED } from '../../suites/service/self-test/tested.ts';
import { print, notify } from '../../cli/output.ts';
import { differencesOf, type ServiceVerdicts } from './compare-verdicts.ts';

const USAGE = `usage: npm run verdicts -- [--part 2/7] [--seed N] [--jobs N] FILE
       npm run verdicts -- --compare [--full] BEFORE AFTER
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    part: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
  },
});
const [first, second] = positionals;
if (first === undefined || values.compare !== (second !== undefined)) {
  notify(USAGE);
  process.exitCode = 2;
} else if (second === undefined) await take(first);
else compare(first, second);

async function take(file: string): Promise<void> {
  const all = tasksOf(TESTED, [Number(values.seed)], 'gate');
  const tasks = values.part === undefined ? all : partOfList(all, segmentOf(values.part));
  const script = new URL('worker.js', import.meta.url);
  const shown = (_: ServiceVerdicts, done: number): void => {
    if (done % 50 === 0) notify(`  ${done} of ${tasks.length} services`);
  };
  const results = await runTasks<ServiceVerdicts>(tasks, script, Number(values.jobs), shown);
  writeFileSync(file, results.map((one) => `${JSON.stringify(one)}\n`).join(''));
  print(`${results.length} services\n`);
}

function compare(before: string, after: string): void {
  const mode = values.full ? 'full' : 'verdicts';
  const lines = differencesOf(readTake(before), readTake(after), mode);
  for (const line of lines) print(`${line}\n`);
  print(`${lines.length} differences (${mode})\n`);
  if (lines.length > 0) process.exitCode = 1;
}

function readTake(file: string): ServiceVerdicts[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ServiceVerdicts);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../contracts/run/run.ts';
import type { Row } from '../row.ts';
import { altered, editExchange, editJson, editLines, reseal, type Loose } from './record-kit.ts';
import { EXCHANGE_CHANGES } from './record-members.ts';

/** Not malformed: a member that nobody reads, and kinds that a later version may add. */
const MAY_PASS = ['a member more', 'a URL that is none', 'an id with control sequences'];

function withoutFailing(dir: string): void {
  const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
  const failing = new Set(
    run.rules.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges)),
  );
  editLines(dir, (lines) =>
    lines.filter((line) => !failing.has((JSON.parse(line) as { id: string }).id)),
  );
}

/** Records that were changed by somebody who then recomputed their chain. */
export const RECORD_FORGED_ROWS: readonly Row[] = [
  altered('forged: nothing but the chain', reseal, { exits: [0], fast: true }),
  ...EXCHANGE_CHANGES.map(([name, change], index) =>
    altered(
      `forged: an exchange with ${name}`,
      (dir) => {
        editExchange(dir, change);
        reseal(dir);
      },
      { exits: MAY_PASS.includes(name) ? [0, 4] : [4], fast: index % 4 === 0 },
    ),
  ),
  altered(
    'forged: the failing exchanges deleted',
    (dir) => {
      withoutFailing(dir);
      reseal(dir);
    },
    { base: 'failing', fast: true },
  ),
  altered(
    'forged: the outcome of another tool',
    (dir) => {
      editJson(dir, 'run.json', (run) => {
        (run.tool as Loose).sha256 = '0'.repeat(64);
        run.outcome = 'conforms';
        for (const rule of run.rules as Loose[]) {
          if (rule.verdict === 'fail') Object.assign(rule, { verdict: 'pass', findings: [] });
        }
      });
    },
    // The verdicts are those of whoever judges: never the ones that were put there.
    { base: 'failing', exits: [1, 4] },
  ),
  altered(
    'forged: a body nested 1,000,000 deep',
    (dir) => {
      const body = { encoding: 'utf8', text: '['.repeat(1_000_000) };
      const response = { status: 200, headers: [], body };
      editExchange(dir, (x) => (x.outcome = { kind: 'response', response }));
      reseal(dir);
    },
    { exits: [1, 3, 4] },
  ),
  altered(
    'forged: 30,000 exchanges that are one',
    (dir) => {
      editLines(dir, (lines) => [
        ...lines,
        ...Array.from({ length: 30_000 }, (_, n) =>
          (lines[15] ?? '').replace(/"id":"[^"]*"/, `"id":"y${n}"`),
        ),
      ]);
      reseal(dir);
    },
    { exits: [0, 1, 3, 4] },
  ),
];

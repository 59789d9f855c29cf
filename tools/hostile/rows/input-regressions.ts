import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Row } from '../row.ts';
import { runIn } from '../verdicts.ts';
import { check } from './input-kit.ts';
import { row } from './kit.ts';

/** What earlier runs are said to have found. */
export const INPUT_REGRESSION_ROWS: readonly Row[] = regressions();

/** Counterexamples of earlier runs that are broken, or lead elsewhere. */
function regressions(): Row[] {
  const files: readonly (readonly [name: string, content: string | Buffer])[] = [
    ['is no JSON', '{"rule":'],
    ['is empty', ''],
    ['is nested 100,000 deep', '['.repeat(100_000)],
    ['is null', 'null'],
    ['is a list', '[1]'],
    ['names no rule', '{"rule":"__proto__","requests":[]}'],
    [
      'leads upwards',
      '{"rule":"../../../pwn","version":1,"api":"zap","requests":[{"method":"GET","path":"/../../x"}]}',
    ],
    ['has control sequences', '{"rule":"\\u001b[2J\\n::error::x"}'],
    ['is binary', Buffer.from([0, 255, 254, 10])],
  ];
  return [
    ...files.map(([name, content], index) =>
      row(
        'check',
        `input: a regression that ${name}`,
        [0, 1, 3],
        async (lab) => {
          const { flags } = await lab.open({ spoils: [] });
          mkdirSync(lab.path('kept'));
          writeFileSync(lab.path('kept', 'zap.quote.served.a.json'), content);
          return {
            args: check(lab, ...flags, '--seed', '1', '--regressions', lab.path('kept')),
            record: lab.path('out'),
            writes: [lab.path('kept')],
            // One bad input does not end the run, and is reported.
            after: () =>
              (runIn(lab.path('out'))?.notices ?? []).length > 0
                ? []
                : ['there is no notice of it'],
          };
        },
        index === 0,
      ),
    ),
    row(
      'check',
      'input: a regression that is a FIFO',
      [0, 1, 2, 3],
      async (lab) => {
        const { flags } = await lab.open({ spoils: [] });
        mkdirSync(lab.path('kept'));
        execFileSync('mkfifo', [lab.path('kept', 'zap.quote.served.a.json')]);
        return {
          args: check(lab, ...flags, '--seed', '1', '--regressions', lab.path('kept')),
          record: lab.path('out'),
          writes: [lab.path('kept')],
        };
      },
      true,
    ),
    row('check', 'input: regressions in a file', [2, 3, 4], (lab) => ({
      args: check(lab, '--regressions', lab.file('a-file', 'x')),
      record: lab.path('out'),
    })),
  ];
}

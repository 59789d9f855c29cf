import type { Lab, Plan, Row } from '../row.ts';
import { budgetFlags, row, vacuousComplaints } from './kit.ts';

/** Right answers of 4 MB each, which are some kilobytes on the wire. */
const LARGE = { spoils: [{ how: 'brotli-blanks', size: 4 }] };
const [SECONDS, TIMEOUT_SECONDS, GRACE_SECONDS] = [6, 4, 5];

/** A load of such answers, which is to end in its time whatever it has to unpack. */
async function loadOf(lab: Lab, rate: number, more: readonly string[] = []): Promise<Plan> {
  const opened = await lab.open(LARGE);
  const { zap, trade } = opened.urls;
  return {
    args: [
      ...['load', '--zap-url', zap, '--trade-url', trade, '--out', lab.path('out')],
      ...['--scenario', 'smoke', '--rate', String(rate), '--seconds', String(SECONDS)],
      ...['--timeout-ms', String(1000 * TIMEOUT_SECONDS), ...more],
    ],
    record: lab.path('out'),
    // What is sent beforehand has its own seconds.
    seconds: 60,
    secondsAfterMark: SECONDS + TIMEOUT_SECONDS + GRACE_SECONDS,
    during: async (running) => {
      await running.printed('sending ');
      running.mark();
    },
    after: () => vacuousComplaints(opened),
  };
}

/** What is bounded for a whole run, and not for each answer alone: bytes held at once, and time. */
export const BOUND_ROWS: readonly Row[] = [
  row('load', 'bounds: 300 answers of 4 MB', [0, 1, 3], (lab) => loadOf(lab, 50), true),
  row('load', 'bounds: 1,200 answers of 4 MB', [0, 1, 3], (lab) => loadOf(lab, 200)),
  row('load', 'bounds: 300 answers of 4 MB, none judged', [0, 1, 3], (lab) =>
    loadOf(lab, 50, ['--judge-share', '0']),
  ),
  row('check', 'bounds: answers of 4 MB to all', [0, 1, 3], async (lab) => {
    const opened = await lab.open(LARGE);
    return {
      args: [
        ...['check', ...opened.flags, '--out', lab.path('out')],
        ...budgetFlags(lab, { requests: 1_000, seconds: 20 }),
      ],
      record: lab.path('out'),
      after: () => vacuousComplaints(opened),
    };
  }),
];

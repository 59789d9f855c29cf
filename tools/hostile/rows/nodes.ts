import type { Spoil } from '../service/hostile.ts';
import type { Row } from '../row.ts';
import { brokenRules } from '../verdicts.ts';
import { budgetFlags, row, vacuousComplaints } from './kit.ts';

const NODES = { api: 'zap', path: '/rpc/' } as const;
/** The rules alone that nodes are asked for; what they are asked comes beyond the requests to the service. */
const ONLY = ['--only', '*.simulated.*', '--rpc-of-service', '--seed', '1'] as const;

/**
 * A node that does everything wrong, while its service does nothing wrong.
 *
 * @param may rules that it can have broken; no other may be
 */
function node(
  name: string,
  spoil: Omit<Spoil, 'api' | 'path'>,
  { fast = false, may = [] }: { readonly fast?: boolean; readonly may?: readonly string[] } = {},
): Row {
  const exits = may.length > 0 ? [0, 1, 3] : [0, 3];
  const prepare: Row['prepare'] = async (lab) => {
    const opened = await lab.open({ spoils: [{ ...spoil, ...NODES }] });
    const out = lab.path('out');
    const budget = budgetFlags(lab, { requests: 500, seconds: 60, timeoutMs: 2_000 });
    return {
      args: ['check', ...opened.flags, ...ONLY, ...budget, '--out', out],
      record: out,
      after: async () => [
        ...brokenRules(out)
          .filter((id) => !may.includes(id))
          .map((id) => `${id} is broken, and only the node is wrong`),
        ...(await vacuousComplaints(opened)),
      ],
    };
  };
  return row('check', `node: ${name}`, exits, prepare, fast);
}

const HTML = '<html><body>Please log in</body></html>';

/** Nodes that execute what a service builds, each wrong in its own way. */
export const NODE_ROWS: readonly Row[] = [
  node('endless answers', { how: 'endless-body' }, { fast: true }),
  node('no answers', { how: 'never-answers' }),
  node('answers that break off', { how: 'closes-in-body' }),
  node('a redirect to the trap', { how: 'redirect' }),
  node('HTML', { how: 'fixed', size: 200, text: HTML, headers: { 'content-type': 'text/html' } }),
  node('429 always', { how: 'fixed', size: 429, text: '{}', headers: { 'retry-after': '1' } }),
  node('arrays nested 100,000 deep', { how: 'body', text: 'deep-arrays', size: 100_000 }),
  node('1.4 million objects', { how: 'body', text: 'small-objects', size: 900_000 }),
  node('wrong ids', { how: 'set-members', members: ['id'], text: '77' }, { fast: true }),
  node('another chain', { how: 'set-members', members: ['result'], text: '"0x63"' }),
  node('answers of another block', { how: 'set-members', members: ['number'], text: '"0x1"' }),
  node('balances that are not set', {
    how: 'set-members',
    members: ['returnData'],
    text: `"0x${'0'.repeat(64)}"`,
  }),
  node('each call reverts', { how: 'set-members', members: ['status'], text: '"0x0"' }),
  node('objects that reach into the engine', { how: 'prototype-members' }),
  // What it can cause: it says that the recipient got nothing, and nobody knows better.
  node(
    'a lie about one balance',
    { how: 'hide-a-balance' },
    { may: ['zap.simulated.delivers-min-return', 'trade.simulated.delivers-min-return'] },
  ),
];

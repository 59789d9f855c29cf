import type { HostileSpec, Seen, Spoil } from '../service/hostile.ts';
import { PLANTED_KEY } from '../service/planted-key.ts';
import type { Lab, Opened, Plan, Row } from '../row.ts';

/** Small budgets, so that a row takes seconds; of the time, starting up takes two and more. */
export const BUDGET = { seconds: 10, timeoutMs: 500, requests: 120 } as const;

/** What differs from row to row of a hostile target. */
export interface TargetOptions {
  readonly exits?: readonly number[];
  readonly fast?: boolean;
  readonly requests?: number;
  readonly seconds?: number;
  readonly timeoutMs?: number;
  readonly args?: readonly string[];
  readonly spec?: Omit<HostileSpec, 'spoils'>;
  /** More of a plan than its arguments. */
  readonly plan?: Omit<Plan, 'args'>;
  /** Exit codes of `limits` against it; not tried when absent. */
  readonly limits?: readonly number[];
  /** What else must hold of the requests that arrived. */
  readonly seen?: (seen: readonly Seen[]) => readonly string[];
}

/** The rows of a hostile target: a check, and where asked for the limits of it. */
export function target(
  name: string,
  spoils: Spoil | readonly Spoil[],
  options: TargetOptions = {},
): Row[] {
  const { exits = [1, 3], fast = false, limits, plan = {}, spec = {} } = options;
  const list = [spoils].flat<(Spoil | readonly Spoil[])[]>();
  const row = (command: 'check' | 'limits', right: readonly number[], isFast: boolean): Row => ({
    name: `target: ${name}`,
    command,
    fast: isFast,
    exits: right,
    prepare: async (lab) => {
      const opened = await lab.open({ ...spec, spoils: list });
      const out = lab.path('out');
      const args = [...commandFor(command, opened, options, lab), '--out', out];
      return {
        ...plan,
        args,
        record: out,
        after: async (ended) => [
          ...((await plan.after?.(ended)) ?? []),
          ...(await seenComplaints(opened, options)),
          ...(list.length === 0 ? [] : await vacuousComplaints(opened)),
        ],
      };
    },
  });
  return [
    row('check', exits, fast),
    ...(limits === undefined ? [] : [row('limits', limits, false)]),
  ];
}

function commandFor(
  command: 'check' | 'limits',
  { urls, flags }: Opened,
  { args = [], ...options }: TargetOptions,
  lab: Lab,
): string[] {
  const budget = budgetFlags(lab, options);
  return command === 'check'
    ? ['check', ...flags, '--seed', '1', ...budget, ...args]
    : ['limits', '--zap-url', urls.zap, '--trade-url', urls.trade, ...budget, ...args];
}

/** The budget as flags; a busy machine gets more time, so that a row does not end before it begins. */
export function budgetFlags(
  { slack }: Lab,
  options: Pick<TargetOptions, 'requests' | 'seconds' | 'timeoutMs'> = {},
): string[] {
  const { requests, seconds, timeoutMs } = { ...BUDGET, ...options };
  return [
    ...['--max-requests', String(requests)],
    ...['--max-seconds', String(seconds * slack)],
    ...['--timeout-ms', String(timeoutMs)],
  ];
}

/** A row in which nothing hostile happened proves nothing. */
export async function vacuousComplaints(opened: Opened): Promise<string[]> {
  const { spoilt, seen } = await opened.report();
  if (spoilt > 0) return [];
  return [`nothing hostile happened in ${seen.length} requests: has it the time? (--slack)`];
}

/** What no request may do, whatever the target says. */
async function seenComplaints(
  opened: Opened,
  { requests = BUDGET.requests, seen: more }: TargetOptions,
): Promise<string[]> {
  const seen = await opened.seen();
  const asked = seen.filter(({ host }) => host !== 'trap' && host !== 'contract');
  const lured = seen.filter(({ host }) => host === 'trap');
  const reported = seen.filter(
    ({ host, authorization }) => host !== 'trade' && authorization?.includes(PLANTED_KEY) === true,
  );
  const found: string[] = [];
  if (asked.length > requests)
    found.push(`${asked.length} requests arrived, of ${requests} allowed`);
  if (lured.length > 0) found.push(`the trap was asked for ${lured[0]?.url ?? ''}`);
  if (reported.length > 0) found.push(`the key of trade was sent to ${reported[0]?.host ?? ''}`);
  return [...found, ...(more?.(seen) ?? [])];
}

/** A row that is not a hostile target. */
export function row(
  command: Row['command'],
  name: string,
  exits: readonly (number | null)[],
  prepare: (lab: Lab) => Plan | Promise<Plan>,
  fast = false,
): Row {
  return { command, name, exits, fast, prepare };
}

/** What exit code 2 asks for: one sentence that says what to do, and nothing left behind. */
export function refused(
  command: Row['command'],
  name: string,
  prepare: (lab: Lab) => Plan | Promise<Plan>,
  fast = true,
): Row {
  return row(command, name, [2], prepare, fast);
}

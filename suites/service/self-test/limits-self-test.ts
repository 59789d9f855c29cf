/** The self-test of `assay limits`: every fault, oddity and variant of rate limits, really probed. */

import { rateLimitRules } from '../../../contracts/service/rules/limits/rate-limits.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import { FOUND_SOON } from '../../../fixtures/service/faults/limits/limit-kit.ts';
import { LIMIT_ODDITIES } from '../../../fixtures/service/faults/limits/limit-oddities.ts';
import { LIMIT_FAULTS } from '../../../fixtures/service/faults/limits/limits.ts';
import { LIMIT_VARIANTS } from '../../../fixtures/service/variants/limits/limits.ts';
import { runLimitsCase } from './limits-case.ts';
import type { Case } from './tested.ts';
import type { FalseAlarm, FaultRow } from '../../self-test/self-test.ts';

/** One service to be probed, by its id, with a seed. */
export interface LimitsTask {
  readonly kind: 'clean' | 'fault' | 'oddity' | 'variant';
  /** `clean` of the clean service. */
  readonly id: string;
  readonly seed: number;
}

/** What became of a task; plain data, since it comes from another thread. */
export interface LimitsTaskResult extends LimitsTask {
  /** Rules that were broken, with the first finding of each. */
  readonly broken: readonly {
    readonly rule: string;
    readonly level: string;
    readonly finding: string;
  }[];
  /** Rules on limits that had no verdict. */
  readonly notReached: readonly string[];
  /** Of an oddity: whether the ledger states it. */
  readonly reported: boolean;
  readonly notices: readonly string[];
  readonly exchanges: number;
}

/** Small limits, found soon. */
const CLEAN: Case = { apply: (service) => service, options: FOUND_SOON };

/** All tasks of a self-test of limits. */
export function limitsTasksOf(seeds: readonly number[]): LimitsTask[] {
  return seeds.flatMap((seed) => [
    { kind: 'clean' as const, id: 'clean', seed },
    ...LIMIT_FAULTS.map(({ id }) => ({ kind: 'fault' as const, id, seed })),
    ...LIMIT_ODDITIES.map(({ id }) => ({ kind: 'oddity' as const, id, seed })),
    ...LIMIT_VARIANTS.map(({ id }) => ({ kind: 'variant' as const, id, seed })),
  ]);
}

/** Probes and judges the service of a task. */
export async function runLimitsTask(
  task: LimitsTask,
  contract: Contract,
): Promise<LimitsTaskResult> {
  const { results, ledger, notices, exchanges } = await runLimitsCase(
    caseOf(task),
    task.seed,
    contract,
  );
  const broken = results.flatMap(({ rule: { id: rule, level }, verdict, findings: [first] }) => {
    if ((verdict !== 'fail' && verdict !== 'warn') || first === undefined) return [];
    return [{ rule, level, finding: `expected ${first.expected}, was ${first.actual}` }];
  });
  // What is only observed takes what not every service has, such as two keys.
  const judged = rateLimitRules([]).filter(({ level }) => level !== 'observe');
  const own = new Set(judged.map(({ id }) => id));
  const notReached = results
    .filter(({ verdict }) => verdict === 'not-reached' || verdict === 'inconclusive')
    .map(({ rule }) => rule.id)
    .filter((id) => own.has(id));
  const oddity = LIMIT_ODDITIES.find(({ id }) => task.kind === 'oddity' && id === task.id);
  const reported = ledger.some(
    ({ id, observed }) => id === oddity?.ledger && observed.join('\n').includes(oddity.says),
  );
  return { ...task, broken, notReached, reported, notices, exchanges };
}

function caseOf({ kind, id }: LimitsTask): Case {
  if (kind === 'clean') return CLEAN;
  const catalogues = { fault: LIMIT_FAULTS, oddity: LIMIT_ODDITIES, variant: LIMIT_VARIANTS };
  const known: readonly (Case & { readonly id: string })[] = catalogues[kind];
  const found = known.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${kind} ${id} of limits`);
  return found;
}

/** What a self-test of limits came to. */
export interface LimitsReport {
  readonly seeds: readonly number[];
  readonly services: number;
  readonly exchanges: number;
  readonly faults: readonly Pick<FaultRow, 'id' | 'breaks' | 'subtle' | 'fate' | 'unexplained'>[];
  /** Oddities that the ledger did not state, with the seed. */
  readonly unreported: readonly string[];
  readonly oddities: number;
  readonly falseAlarms: readonly FalseAlarm[];
  /** Rules that the clean service did not reach, with any seed. */
  readonly notReached: readonly string[];
  /** Probes of services without fault that were cut short. */
  readonly cutShort: readonly string[];
}

/** Sums up the results of tasks; faults without a result are left out. */
export function limitsReportOf(results: readonly LimitsTaskResult[]): LimitsReport {
  const correct = results.filter(({ kind }) => kind !== 'fault');
  const named = ({ id, seed }: LimitsTaskResult): string => `${id} (seed ${seed})`;
  const oddities = results.filter(({ kind }) => kind === 'oddity');
  return {
    seeds: [...new Set(results.map(({ seed }) => seed))],
    services: results.length,
    exchanges: results.reduce((sum, { exchanges }) => sum + exchanges, 0),
    faults: LIMIT_FAULTS.flatMap((fault) => {
      const own = results.filter(({ kind, id }) => kind === 'fault' && id === fault.id);
      return own.length === 0 ? [] : [rowOf(fault, own)];
    }),
    unreported: oddities.filter(({ reported }) => !reported).map(named),
    oddities: new Set(oddities.map(({ id }) => id)).size,
    falseAlarms: correct.flatMap(({ id, seed, broken }) =>
      broken
        .filter(({ rule }) => !LIMIT_ODDITIES.some((one) => one.id === id && one.breaks === rule))
        .map(({ rule, finding }) => ({ service: id, seed, rule, finding })),
    ),
    notReached: [
      ...new Set(results.flatMap((one) => (one.kind === 'clean' ? one.notReached : []))),
    ],
    cutShort: correct
      .filter(({ notices }) => notices.length > 0)
      .map((one) => `${named(one)}: ${one.notices.join(' ')}`),
  };
}

function rowOf(
  { id, breaks, subtle, alsoBreaks = {} }: (typeof LIMIT_FAULTS)[number],
  results: readonly LimitsTaskResult[],
): LimitsReport['faults'][number] {
  const grades = results.map(({ broken }) => {
    if (broken.some(({ rule }) => rule === breaks)) return 'killed';
    return broken.length > 0 ? 'killed-otherwise' : 'survived';
  });
  const fate =
    (['survived', 'killed-otherwise'] as const).find((grade) => grades.includes(grade)) ?? 'killed';
  const unexplained = results
    .flatMap(({ broken }) => broken)
    .filter(({ level, rule }) => level === 'must' && rule !== breaks)
    .map(({ rule }) => rule)
    .filter((rule) => alsoBreaks[rule] === undefined);
  return { id, breaks, subtle, fate, unexplained: [...new Set(unexplained)] };
}

/**
 * Whether every fault was killed by its own rule, every oddity reported, and no correct limit raised an
 * alarm. A probe that was cut short is no fault: a shaper's limit, for one, cannot always be met.
 */
export function isGoodOnLimits(report: LimitsReport): boolean {
  const { faults, unreported, falseAlarms, notReached } = report;
  return (
    faults.every(({ fate, unexplained }) => fate === 'killed' && unexplained.length === 0) &&
    [unreported, falseAlarms, notReached].every((list) => list.length === 0)
  );
}

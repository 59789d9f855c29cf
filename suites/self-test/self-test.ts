import type { ProfileName } from '../../contracts/judging/profile.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { runCase } from './run-case.ts';
import type { PlantedFault, Specimen, TestedService } from './tested-service.ts';

/** One service to be explored: the clean one, a fault or a variant by its id, with a seed. */
export interface Task extends Specimen {
  /** How thorough; the drive alone when absent. */
  readonly profile: ProfileName | undefined;
  readonly seed: number;
}

/** What became of a task; plain data, since it comes from another thread. */
export interface TaskResult extends Task {
  /** Rules that were broken, with the first finding of each. */
  readonly broken: readonly {
    readonly rule: string;
    readonly level: string;
    readonly finding: string;
    /** How many requests had been sent when it was first seen. */
    readonly requests: number;
    /** Fields in which the smallest requests that show it differ from plain ones. */
    readonly distance?: number;
  }[];
  /** Rules that had no verdict. */
  readonly notReached: readonly string[];
  /** Why the drive was cut short; it never should be. */
  readonly notices: readonly string[];
  /** Rules of which its record says something else than the run did; it never should. */
  readonly judgedOtherwise: readonly string[];
  readonly exchanges: number;
}

/** All tasks of a self-test, the slow ones mixed among the others. */
export function tasksOf(
  { faults, variants }: Pick<TestedService, 'faults' | 'variants'>,
  seeds: readonly number[],
  profile: ProfileName | undefined,
): Task[] {
  return seeds.flatMap((seed) => [
    { profile, kind: 'clean' as const, id: '', seed },
    ...faults.map(({ id }) => ({ profile, kind: 'fault' as const, id, seed })),
    ...variants.map(({ id }) => ({ profile, kind: 'variant' as const, id, seed })),
  ]);
}

/**
 * Drives and judges the service of a task. The drive alone ends with the exchange that shows a fault:
 * what else it breaks is for the profiles.
 */
export async function runTask(
  tested: TestedService,
  task: Task,
  contract: Contract,
): Promise<TaskResult> {
  const { kind, id, seed, profile } = task;
  const fault = kind === 'fault' ? tested.faults.find((one) => one.id === id) : undefined;
  const breaks = profile === undefined ? fault?.breaks : undefined;
  const ended = await runCase(tested, { kind, id }, seed, contract, profile, breaks);
  const { results, report, exchanges, counterexamples, judgedOtherwise } = ended;
  const notices = report.cutShort ? report.notices : [];
  const outcome = outcomeOf(results, counterexamples);
  return { ...task, ...outcome, notices, judgedOtherwise, exchanges };
}

function outcomeOf(
  results: readonly RuleResult[],
  counterexamples: readonly Counterexample[],
): Pick<TaskResult, 'broken' | 'notReached'> {
  const broken = results.flatMap(({ rule, verdict, findings }) => {
    const [first] = findings;
    if ((verdict !== 'fail' && verdict !== 'warn') || first === undefined) return [];
    const found = counterexamples.find((one) => one.rule === rule.id);
    const distance = found === undefined ? {} : { distance: found.differsIn.length };
    const requests = firstSeen(rule, findings);
    return [{ rule: rule.id, level: rule.level, finding: describe(first), requests, ...distance }];
  });
  const notReached = results
    .filter(({ verdict }) => verdict === 'not-reached' || verdict === 'inconclusive')
    .map(({ rule }) => rule.id);
  return { broken, notReached };
}

/** The number of the exchange with which a rule was first seen to be broken. */
function firstSeen({ scope }: RuleResult['rule'], findings: RuleResult['findings']): number {
  const seen = findings.map(({ exchanges }) => {
    const numbers = exchanges.map((id) => Number(id.slice(1)));
    // A group shows it only when its last exchange is there.
    return scope === 'exchange' ? Math.min(...numbers) : Math.max(...numbers.slice(0, 2));
  });
  return Math.min(...seen);
}

function describe({ pointer, expected, actual, request }: RuleResult['findings'][number]): string {
  return `${request.method} ${request.path} at ${pointer || '/'}: expected ${expected}, was ${actual}`;
}

/** What became of a fault: killed by its own rule or by another alone, or survived. */
export type Fate = 'killed' | 'killed-otherwise' | 'survived';

/** One fault over all seeds. */
export interface FaultRow {
  readonly id: string;
  readonly breaks: string;
  readonly subtle: boolean;
  /** The worst over the seeds. */
  readonly fate: Fate;
  /** Must-rules that were broken besides, without a stated reason. */
  readonly unexplained: readonly string[];
  /** Requests sent until its own rule was first seen to be broken; the median over the seeds. */
  readonly requests?: number;
  /** Fields in which the smallest requests that show it differ from plain ones; likewise. */
  readonly distance?: number;
}

/** A rule that a correct service broke. */
export interface FalseAlarm {
  /** `clean` or the id of the variant. */
  readonly service: string;
  readonly seed: number;
  readonly rule: string;
  readonly finding: string;
}

/** What a self-test came to. */
export interface SelfTestReport {
  /** How thorough each service was tested; the drive alone when absent. */
  readonly profile?: ProfileName;
  readonly seeds: readonly number[];
  readonly services: number;
  readonly exchanges: number;
  readonly faults: readonly FaultRow[];
  readonly falseAlarms: readonly FalseAlarm[];
  /** Rules that the clean service does not reach, with any seed. */
  readonly notReached: readonly string[];
  /** Drives that were cut short. */
  readonly cutShort: readonly string[];
  /** Services, with the rules of which the record says something else than the run did. */
  readonly judgedOtherwise: readonly string[];
  /** For each rule, the faults that it must catch. */
  readonly rules: readonly { readonly id: string; readonly faults: readonly string[] }[];
}

/** Sums up the results of all tasks. */
export function reportOf(
  { driven, faults }: Pick<TestedService, 'driven' | 'faults'>,
  profile: ProfileName | undefined,
  seeds: readonly number[],
  results: readonly TaskResult[],
): SelfTestReport {
  const clean = results.filter(({ kind }) => kind === 'clean');
  return {
    ...(profile === undefined ? {} : { profile }),
    seeds,
    services: results.length,
    exchanges: results.reduce((sum, { exchanges }) => sum + exchanges, 0),
    faults: faults.map((fault) =>
      faultRow(
        fault,
        results.filter(({ kind, id }) => kind === 'fault' && id === fault.id),
      ),
    ),
    falseAlarms: results
      .filter(({ kind }) => kind !== 'fault')
      .flatMap(({ id, seed, broken }) =>
        broken.map(({ rule, finding }) => ({ service: id || 'clean', seed, rule, finding })),
      ),
    // Rules on throttling need a service that throttles, as their faults make it do.
    notReached: driven.rules.ofExchanges
      .filter(({ answer }) => answer !== 'throttled' && answer !== 'responded')
      .map(({ id }) => id)
      .filter((id) => clean.some(({ notReached }) => notReached.includes(id))),
    cutShort: results
      .filter(({ kind, notices }) => kind !== 'fault' && notices.length > 0)
      .map(({ id, seed, notices }) => `${id || 'clean'} (seed ${seed}): ${notices.join(' ')}`),
    judgedOtherwise: results
      .filter(({ judgedOtherwise }) => judgedOtherwise.length > 0)
      .map(({ id, seed, judgedOtherwise }) => {
        return `${id || 'clean'} (seed ${seed}): ${judgedOtherwise.join(', ')}`;
      }),
    rules: driven.rules.ofExchanges.map(({ id }) => ({
      id,
      faults: faults.filter(({ breaks }) => breaks === id).map((fault) => fault.id),
    })),
  };
}

function faultRow(fault: PlantedFault, results: readonly TaskResult[]): FaultRow {
  const grades = results.map(({ broken }): Fate => {
    if (broken.some(({ rule }) => rule === fault.breaks)) return 'killed';
    return broken.length > 0 ? 'killed-otherwise' : 'survived';
  });
  const fate = (['survived', 'killed-otherwise', 'killed'] as const).find((grade) =>
    grades.includes(grade),
  );
  const besides = results.flatMap(({ broken }) =>
    broken.filter(({ level, rule }) => level === 'must' && rule !== fault.breaks),
  );
  const unexplained = new Set(
    besides.map(({ rule }) => rule).filter((rule) => fault.alsoBreaks?.[rule] === undefined),
  );
  const { id, breaks, subtle } = fault;
  const own = results.flatMap(({ broken }) => broken.filter(({ rule }) => rule === fault.breaks));
  const requests = median(own.map((one) => one.requests));
  const distance = median(own.flatMap((one) => one.distance ?? []));
  return {
    id,
    breaks,
    subtle,
    fate: fate ?? 'survived',
    unexplained: [...unexplained],
    ...(requests === undefined ? {} : { requests }),
    ...(distance === undefined ? {} : { distance }),
  };
}

/** The middle value, the lower one of two; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

/**
 * Whether every fault was killed by its own rule, no correct service raised an alarm, and each record says
 * what its run said.
 */
export function isGood(report: SelfTestReport): boolean {
  const { faults, falseAlarms, notReached, cutShort, judgedOtherwise } = report;
  return (
    faults.every(({ fate, unexplained }) => fate === 'killed' && unexplained.length === 0) &&
    [falseAlarms, notReached, cutShort, judgedOtherwise].every((list) => list.length === 0)
  );
}

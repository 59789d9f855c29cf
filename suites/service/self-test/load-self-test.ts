/** The self-test of what only load shows: every fault and variant of load, really put under load. */

import { REGISTRY } from '../../../contracts/service/registry.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import { FOUND_SOON } from '../../../fixtures/service/faults/limits/limit-kit.ts';
import { NO_LIMITS } from '../../../fixtures/service/faults/limits/load-kit.ts';
import { LOAD_FAULTS } from '../../../fixtures/service/faults/limits/load.ts';
import { LOAD_VARIANTS } from '../../../fixtures/service/variants/limits/load.ts';
import type { PreparedRequest } from '../../../load/engines/engine.ts';
import { type LoadCase, runLoadCase } from './load-case.ts';
import { loadRequests } from './load-requests.ts';
import type { FalseAlarm, FaultRow } from '../../self-test/self-test.ts';

/** One service to be put under load, by its id, with a seed. */
export interface LoadTask {
  readonly kind: 'clean' | 'fault' | 'variant';
  /** `clean-crowd` or `clean-herd` of the clean service. */
  readonly id: string;
  readonly seed: number;
}

/** What became of a task; plain data, since it comes from another thread. */
export interface LoadTaskResult extends LoadTask {
  /** Rules that the record of the run shows to be broken, with the first finding of each. */
  readonly broken: readonly {
    readonly rule: string;
    readonly level: string;
    readonly finding: string;
  }[];
  /** Rules that were broken while it ran, with the name of the step at which that began. */
  readonly live: readonly { readonly rule: string; readonly began: string }[];
  readonly notReached: readonly string[];
  readonly requests: number;
}

const asItIs: LoadCase['apply'] = (service) => service;

/** Without faults, under both loads; limits are met by the herd alone. */
const CLEAN: readonly (LoadCase & { readonly id: string })[] = [
  { id: 'clean-crowd', load: 'crowd', apply: asItIs, options: NO_LIMITS },
  { id: 'clean-herd', load: 'herd', apply: asItIs, options: FOUND_SOON },
];

const CATALOGUES: Readonly<
  Record<LoadTask['kind'], readonly (LoadCase & { readonly id: string })[]>
> = { clean: CLEAN, fault: LOAD_FAULTS, variant: LOAD_VARIANTS };

/** All tasks of a self-test under load. */
export function loadTasksOf(seeds: readonly number[]): LoadTask[] {
  return seeds.flatMap((seed) =>
    (['clean', 'fault', 'variant'] as const).flatMap((kind) =>
      CATALOGUES[kind].map(({ id }) => ({ kind, id, seed })),
    ),
  );
}

/** What all services are asked that are no variants, by seed. */
const prepared = new Map<number, Promise<PreparedRequest[]>>();

function requestsFor(
  kind: LoadTask['kind'],
  one: LoadCase,
  seed: number,
  contract: Contract,
): Promise<PreparedRequest[]> {
  // A variant may have other chains and pools.
  if (kind === 'variant') return loadRequests(one, seed, contract);
  let requests = prepared.get(seed);
  if (requests === undefined) {
    requests = loadRequests({ load: 'crowd', apply: asItIs }, seed, contract);
    prepared.set(seed, requests);
  }
  return requests;
}

/** Puts the service of a task under load, and judges it. */
export async function runLoadTask(task: LoadTask, contract: Contract): Promise<LoadTaskResult> {
  const { kind, id, seed } = task;
  const found = CATALOGUES[kind].find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${kind} ${id} of load`);
  const requests = await requestsFor(kind, found, seed, contract);
  const run = await runLoadCase(found, seed, contract, requests);
  const broken = run.results.flatMap(({ rule, verdict, findings: [first] }) => {
    if ((verdict !== 'fail' && verdict !== 'warn') || first === undefined) return [];
    const finding = `expected ${first.expected}, was ${first.actual}`;
    return [{ rule: rule.id, level: rule.level, finding }];
  });
  const own = new Set(REGISTRY.onlyLoad.map((rule) => rule.id));
  return {
    ...task,
    broken,
    live: run.violations.map(({ rule, firstStep }) => ({
      rule,
      began: run.steps[firstStep] ?? '',
    })),
    notReached: run.results
      .filter(({ rule, verdict }) => own.has(rule.id) && verdict !== 'pass')
      .map(({ rule }) => rule.id),
    requests: run.requests,
  };
}

/** What a self-test under load came to. */
export interface LoadReport {
  readonly seeds: readonly number[];
  readonly services: number;
  readonly requests: number;
  readonly faults: readonly (Pick<FaultRow, 'id' | 'breaks' | 'subtle' | 'fate' | 'unexplained'> & {
    /** Steps at which its rule was first broken, over the seeds. */
    readonly began: readonly string[];
  })[];
  readonly falseAlarms: readonly FalseAlarm[];
  /** Rules that were broken in the run and not in its record, or the other way round. */
  readonly disagreeing: readonly string[];
  /** Rules on load that the clean service did not reach, with any seed. */
  readonly notReached: readonly string[];
}

/** The steps at which load begins: what is broken before them is no fault of load. */
const LOADED_STEPS: readonly string[] = ['crowd', 'coming back'];

/** Sums up the results of tasks; faults without a result are left out. */
export function loadReportOf(results: readonly LoadTaskResult[]): LoadReport {
  const correct = results.filter(({ kind }) => kind !== 'fault');
  return {
    seeds: [...new Set(results.map(({ seed }) => seed))],
    services: results.length,
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    faults: LOAD_FAULTS.flatMap((fault) => {
      const own = results.filter(({ kind, id }) => kind === 'fault' && id === fault.id);
      return own.length === 0 ? [] : [rowOf(fault, own)];
    }),
    falseAlarms: correct.flatMap(({ id, seed, broken }) =>
      broken.map(({ rule, finding }) => ({ service: id, seed, rule, finding })),
    ),
    disagreeing: results.flatMap(({ id, seed, broken, live }) => {
      const [kept, seen] = [broken, live].map((rows) => new Set(rows.map(({ rule }) => rule)));
      const apart = [
        ...broken.filter(({ rule }) => seen?.has(rule) !== true),
        ...live.filter(({ rule }) => kept?.has(rule) !== true),
      ];
      return apart.map(({ rule }) => `${id} (seed ${seed}): ${rule}`);
    }),
    notReached: [
      ...new Set(results.flatMap(({ id, notReached }) => (id === 'clean-herd' ? notReached : []))),
    ],
  };
}

function rowOf(
  { id, breaks, subtle, alsoBreaks = {} }: (typeof LOAD_FAULTS)[number],
  results: readonly LoadTaskResult[],
): LoadReport['faults'][number] {
  const began = results.flatMap(({ live }) =>
    live.filter(({ rule }) => rule === breaks).map((one) => one.began),
  );
  const grades = results.map(({ broken, live }) => {
    const first = live.find(({ rule }) => rule === breaks);
    const isOwn = first !== undefined && broken.some(({ rule }) => rule === breaks);
    if (isOwn && LOADED_STEPS.includes(first.began)) return 'killed';
    return broken.length > 0 ? 'killed-otherwise' : 'survived';
  });
  const fate =
    (['survived', 'killed-otherwise'] as const).find((grade) => grades.includes(grade)) ?? 'killed';
  const unexplained = results
    .flatMap(({ broken }) => broken)
    .filter(({ level, rule }) => level === 'must' && rule !== breaks)
    .map(({ rule }) => rule)
    .filter((rule) => alsoBreaks[rule] === undefined);
  return { id, breaks, subtle, fate, unexplained: [...new Set(unexplained)], began };
}

/** Whether every fault was killed by its own rule at its step, and no correct service raised an alarm. */
export function isGoodUnderLoad(report: LoadReport): boolean {
  const { faults, falseAlarms, disagreeing, notReached } = report;
  return (
    faults.every(({ fate, unexplained }) => fate === 'killed' && unexplained.length === 0) &&
    [falseAlarms, disagreeing, notReached].every((list) => list.length === 0)
  );
}

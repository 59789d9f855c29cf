import { Judge } from '../../../contracts/judging/judge.ts';
import type { RuleResult } from '../../../contracts/judging/judge.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { DOCUMENT } from '../../../contracts/service/index.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import type { DriveReport } from '../../drive/index.ts';
import { partsNeededBy } from '../../drive/needed-stages.ts';
import { createRandom } from '../../drive/random.ts';
import type { InProcessOptions } from '../../properties/in-process.ts';
import { exploreInProcess } from '../../properties/in-process.ts';
import type { Specimen } from '../../self-test/tested-service.ts';
import { TESTED } from '../self-test/tested.ts';

const contract = await loadContract();
const rules = RULES.filter(({ id }) => id.includes('.simulated.'));

/** What came of executing what a service builds. */
export interface SimulatedRun {
  readonly report: DriveReport;
  readonly results: readonly RuleResult[];
  readonly exchanges: readonly Exchange[];
}

const onOwnNodes = new Map<string, Promise<SimulatedRun>>();

/**
 * Drives a service as far as the rules on simulated builds need, and judges it by them. A service that executes on its
 * own nodes is driven once for all tests.
 */
export function simulatedRun(
  specimen: Specimen,
  executes?: NonNullable<InProcessOptions['executes']>,
): Promise<SimulatedRun> {
  if (executes !== undefined) return drivenRun(specimen, executes);
  const key = `${specimen.kind} ${specimen.id}`;
  const run = onOwnNodes.get(key) ?? drivenRun(specimen, 'on its own nodes');
  onOwnNodes.set(key, run);
  return run;
}

async function drivenRun(
  specimen: Specimen,
  executes: NonNullable<InProcessOptions['executes']>,
): Promise<SimulatedRun> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const service = TESTED.create(specimen, { seed: 1, environment });
  const judge = new Judge(rules, contract);
  const exchanges: Exchange[] = [];
  const report = await exploreInProcess({
    ...{ driven: TESTED.driven, service, contract, seed: 1, clock, judge, executes },
    ...{ profile: 'gate', driveOnly: true, maxRequests: 1_000 },
    needed: partsNeededBy(rules),
    onFound: () => undefined,
    listener: (exchange) => exchanges.push(exchange),
  });
  return { report, results: judge.results(), exchanges };
}

/** What became of each build, in the order of the run: whether it succeeded, and whose promises were kept. */
export function buildsOf({ exchanges }: Pick<SimulatedRun, 'exchanges'>): unknown[] {
  const simulations = DOCUMENT.createSimulations?.();
  for (const exchange of exchanges) simulations?.see(exchange, contract);
  return (simulations?.rows() ?? []).map(({ api, chainId, result, changes }) => ({
    ...{ api, chainId, result },
    changes: changes.map(({ who, holder, token, isKept }) => ({ who, holder, token, isKept })),
  }));
}

/** Verdicts by rule. */
export function verdictsOf({ results }: Pick<SimulatedRun, 'results'>): Record<string, string> {
  return Object.fromEntries(results.map(({ rule, verdict }) => [rule.id, verdict]));
}

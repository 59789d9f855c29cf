/** What became of each build that was simulated, for reports. */

import { View } from '../../../judging/view.ts';
import { NODE_URL } from '../../../run/nodes.ts';
import type {
  BalanceChange,
  RunSimulation,
  SimulationReader,
} from '../../../run/run-simulation.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { NODE_API } from '../../../wire/exchange.ts';
import { agreedOver, isBroken, type Judged } from './agreed.ts';
import type { BlockSaid, Outcome, Run, RunName } from './attempt.ts';
import { outcomeOf } from './attempt.ts';
import { leavingOf, type SimulatedBuild } from './build.ts';
import type { JudgedPromises, SimulatedPromise } from './promises.ts';
import { judgedAttempt } from './promises.ts';
import { cameBack, isMissing, returnedDust } from './leftovers.ts';
import { judgedSpendings } from './spent.ts';
import type { Simulation } from './requests.ts';
import { simulationIn } from './requests.ts';
import { BLOCK_ROLE, blockIn, blockKey, requestOf, SIMULATED } from './simulated-rules.ts';
import { excessOf, shortfallOf } from './whose-doing.ts';

interface Seen {
  readonly api: ApiName;
  readonly build: SimulatedBuild;
  readonly exchanges: string[];
  readonly simulations: Map<RunName, Simulation>;
  node: RunSimulation['node'];
  block?: BlockSaid | undefined;
}

/** A run simulates some dozens. */
const MOST_ROWS = 200;

/** @param readers how builds of each API are read */
export function createSimulations(
  readers: Readonly<Record<ApiName, (view: View) => SimulatedBuild | null>>,
): SimulationReader {
  const groups = new Map<string, Seen>();
  const blocks = new Map<string, BlockSaid>();
  return {
    see(exchange, contract) {
      const place = exchange.relations.find(({ kind }) => kind === SIMULATED);
      if (place === undefined) return;
      const { api, id } = exchange;
      const view = new View(exchange, contract);
      if (api === NODE_API && place.role === BLOCK_ROLE) {
        const block = blockIn(view);
        if (block !== undefined && blocks.size < MOST_ROWS) blocks.set(block.at, block);
        return;
      }
      const known = groups.get(place.group);
      if (api !== NODE_API) {
        const build = view.succeeded ? readers[api]?.(view) : undefined;
        if (!build || known !== undefined || groups.size >= MOST_ROWS) return;
        const rest = { exchanges: [id], simulations: new Map(), node: 'user' as const };
        groups.set(place.group, { api, build, ...rest });
      } else if (known !== undefined) {
        const simulation = simulationIn(view.requestJson, view.json);
        if (simulation === null) return;
        known.simulations.set(place.role as RunName, simulation);
        known.block ??= blocks.get(blockKey(view, simulation.block));
        known.exchanges.push(id);
        if (exchange.request.url.startsWith(NODE_URL.service)) known.node = 'service';
      }
    },
    rows: () => {
      const seen = [...groups].filter(([, { simulations }]) => simulations.size > 0);
      const judged = seen.map(([group, one]) => ({
        one,
        request: requestOf(group),
        judgement: judgedAttempt(one),
      }));
      return judged.map(({ one, request, judgement }) => {
        const ofApi = judged.filter((other) => other.one.api === one.api);
        const broken = brokenIn(judgement);
        const counts = broken.some((promise) => isCounted(ofApi, request, promise));
        return rowOf(one, broken.length === 0 ? 'kept' : counts ? 'broken' : 'dismissed');
      });
    },
  };
}

/** Whether the builds of an API show together that a request breaks a promise. */
function isCounted(
  ofApi: readonly { readonly request: string; readonly judgement: JudgedPromises }[],
  request: string,
  promise: SimulatedPromise,
): boolean {
  const requests = new Map<string, Judged[]>([[request, []]]);
  for (const { request: of, judgement } of ofApi) {
    const before = requests.get(of) ?? [];
    const one = judgement[promise];
    requests.set(of, one === null ? before : [...before, one]);
  }
  return agreedOver([...requests.values()])[0] === 'broken';
}

/** The promises that a build breaks. */
function brokenIn(judgement: JudgedPromises): SimulatedPromise[] {
  const all = Object.entries(judgement) as [SimulatedPromise, Judged | null][];
  return all.filter(([, one]) => isBroken(one?.said ?? null)).map(([promise]) => promise);
}

function rowOf(
  { api, build, exchanges, simulations, node }: Seen,
  judged: 'kept' | 'broken' | 'dismissed',
): RunSimulation {
  const outcome = outcomeOf({ build, simulations });
  const { ran, strict, why } = outcome;
  // One way alone may say that it fails, or it may be the tokens that do not move.
  const result = strict === 'failed' && judged === 'kept' ? 'not known' : strict;
  return {
    ...{ api, chainId: build.chainId, node, result },
    ...(judged === 'dismissed' ? { isDismissed: true as const } : {}),
    ...(why === undefined ? {} : { why }),
    exchanges,
    changes: ran === undefined ? [] : changesOf(build, ran, outcome),
  };
}

function changesOf(build: SimulatedBuild, run: Run, outcome: Outcome): BalanceChange[] {
  const { account, deliveries } = build;
  const judged = judgedSpendings(build).map(({ token }) => token);
  return [
    ...leavingOf(build).map((spending): BalanceChange => {
      const { token, amount, most } = spending;
      const least = most === 0n ? 'nothing' : `at least -${most}`;
      const isJudged = judged.includes(token);
      const promised = isJudged ? least : `about -${amount}, and fees`;
      const changed = run.grew({ token, holder: account });
      const isKept = excessOf(run, outcome, build, spending) !== 'service';
      return {
        ...{ who: 'account', holder: account, token, promised, changed: signed(changed) },
        ...(isJudged || isKept ? { isKept } : {}),
      };
    }),
    ...deliveries.flatMap((delivery): BalanceChange[] => {
      const { token, recipient, least, quoted } = delivery;
      const changed = run.grew({ token, holder: recipient });
      const elsewhere = run.grew({ token, holder: account });
      const due: BalanceChange = {
        ...{ who: 'recipient', holder: recipient, token },
        promised: delivery.isPosition
          ? 'at least one position, whatever it holds'
          : `at least +${least}, quoted +${quoted}`,
        changed: signed(changed),
        ...keptIn(shortfallOf(run, outcome, build, delivery)),
      };
      if (elsewhere <= 0n || account === recipient) return [due];
      const stray = { promised: 'nothing', changed: signed(elsewhere) };
      const kept = due.isKept === undefined ? {} : { isKept: due.isKept };
      return [due, { who: 'account', holder: account, token, ...stray, ...kept }];
    }),
    ...build.leftovers.flatMap((leftover): BalanceChange[] => {
      const { token, least } = leftover;
      const back = cameBack(run, build, leftover);
      if (back === undefined) return [];
      const said = returnedDust(build, run, outcome);
      const isJudged = said !== null && said !== 'inconclusive';
      return [
        {
          ...{ who: 'account', holder: account, token },
          promised: `of it at least ${least} back, as dust`,
          changed: signed(back),
          ...(isJudged ? { isKept: !isMissing(run, build, leftover) } : {}),
        },
      ];
    }),
  ];
}

/** Nothing is said of what may still come. */
function keptIn(by: ReturnType<typeof shortfallOf>): Pick<BalanceChange, 'isKept'> {
  return by === 'later' ? {} : { isKept: by !== 'service' };
}

function signed(amount: bigint): string {
  return amount > 0n ? `+${amount}` : String(amount);
}

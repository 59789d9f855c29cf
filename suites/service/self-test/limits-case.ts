import { Judge, type RuleResult } from '../../../contracts/judging/judge.ts';
import { limitLedger } from '../../../contracts/service/observers/limit-ledger.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import { rateLimitRules } from '../../../contracts/service/rules/limits/rate-limits.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { IN_PROCESS_KEY, MAX_WAIT_SECONDS, openInProcess } from './in-process-target.ts';
import { anyMoment, jitteryTrips } from './network.ts';
import { probeTarget } from '../../../load/probe/probe-target.ts';
import type { TargetBudget } from '../../../load/probe/budget-left.ts';
import { createRandom } from '../../drive/random.ts';
import type { Case } from './tested.ts';
import { PROBED } from '../../../load/service/index.ts';

/** What the probe may spend on one service: what `assay limits` gives to three buckets. */
const BUDGET: TargetBudget = {
  maxRequests: 3000,
  maxRejects: 180,
  maxSeconds: 900,
  maxRatePerSecond: 1000,
};

/** What `assay limits` would say of a service. */
export interface LimitsCaseResult {
  readonly results: readonly RuleResult[];
  readonly ledger: ReturnType<typeof limitLedger>;
  /** Why the probe was cut short; empty when it was not. */
  readonly notices: readonly string[];
  readonly exchanges: number;
}

/**
 * Probes all buckets of one service with the probe of `assay limits`, and judges what it measured and
 * every throttled answer. In the same process, on a clock that takes no time, over a network whose
 * round trips the seed decides.
 */
export async function runLimitsCase(
  { apply, options }: Case,
  seed: number,
  contract: Contract,
): Promise<LimitsCaseResult> {
  const random = createRandom(Math.imul(seed + 1, 0x9e3779b1));
  const uniform = (): number => random.integer(0, 0xffffffff) / 0x100000000;
  const exchanges: Exchange[] = [];
  const { probing, close } = openInProcess({
    apply,
    ...(options === undefined ? {} : { options }),
    seed,
    startMs: anyMoment(uniform),
    trip: jitteryTrips(uniform),
    budget: BUDGET,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  try {
    const { limits, notices, cutShort } = await probeTarget(
      {
        service: PROBED,
        target: {
          apis: ['zap', 'trade'],
          keys: [{ name: 'ASSAY_TRADE_KEY', credential: { bearer: IN_PROCESS_KEY, public: true } }],
          otherAddress: '127.0.0.2',
        },
        mostWaitSeconds: MAX_WAIT_SECONDS,
        depth: 'normal',
        isLocal: true,
      },
      probing,
    );
    const measured = limits.map(({ measurement }) => measurement);
    const judge = new Judge(rulesOn(rateLimitRules(measured)), contract);
    for (const exchange of exchanges) judge.add(exchange);
    return {
      results: judge.results(),
      ledger: limitLedger(measured),
      notices: cutShort ? notices : [],
      exchanges: exchanges.length,
    };
  } finally {
    await close();
  }
}

/** With the rules on throttled answers one by one, as `assay limits` has them. */
function rulesOn(judged: readonly Rule[]): readonly Rule[] {
  const own = new Set(judged.map(({ id }) => id));
  const throttled = RULES.filter(
    ({ id, api, answer }) =>
      answer === 'throttled' && (api === 'zap' || api === 'trade') && !own.has(id),
  );
  return [...throttled, ...judged];
}

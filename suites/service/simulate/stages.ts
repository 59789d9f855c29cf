import { simulatedTradeRules } from '../../../contracts/service/rules/trade/simulated.ts';
import { simulatedZapRules } from '../../../contracts/service/rules/zap/response/simulated.ts';
import { BudgetExceeded, Interrupted } from '../../../target/budget/governor.ts';
import type { Stage } from '../../driven-service.ts';
import type { Session } from '../session/session.ts';
import { tradeCandidates, zapCandidates } from './candidates.ts';
import { simulateBuilds } from './simulate-builds.ts';

/** What of an API was served before, and by which stages. */
interface Served {
  readonly after: readonly string[];
  readonly bodies: () => readonly Readonly<Record<string, unknown>>[];
}

const SIMULATED_APIS = ['zap', 'trade'] as const;
type SimulatedApi = (typeof SIMULATED_APIS)[number];

const CANDIDATES = { zap: zapCandidates, trade: tradeCandidates } as const;
const RULES = { zap: simulatedZapRules, trade: simulatedTradeRules } as const;

/**
 * The stages that execute builds on nodes; none if no node may be asked.
 *
 * @param notices gets a sentence for each chain of which builds were not simulated
 */
export function simulatedStages(
  session: Session,
  notices: string[],
  served: Readonly<Record<SimulatedApi, Served>>,
): Stage[] {
  const { nodes } = session;
  if (nodes === undefined) return [];
  return SIMULATED_APIS.map((api, at) => {
    const { after, bodies } = served[api];
    return {
      ...{ name: `${api} builds, simulated`, api, after, isAdditional: true },
      rules: new Set(RULES[api].map(({ id }) => id)),
      run: async () => {
        try {
          await simulateBuilds(session, api, CANDIDATES[api](session, bodies()), notices);
        } catch (error) {
          const isEnd = error instanceof Interrupted || error instanceof BudgetExceeded;
          for (const next of isEnd ? SIMULATED_APIS.slice(at + 1) : [])
            if (session.apis.has(next))
              notices.push(`No ${next} build was simulated: the run ended before.`);
          throw error;
        }
        session.progress(`${nodes.spent} of ${nodes.most} requests to nodes sent`);
      },
    };
  });
}

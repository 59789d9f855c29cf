import { simulatedTradeRules } from '../../../contracts/service/rules/trade/simulated.ts';
import { simulatedZapRules } from '../../../contracts/service/rules/zap/response/simulated.ts';
import type { Stage } from '../../driven-service.ts';
import type { Session } from '../session/session.ts';
import { simulateTrades, simulateZaps } from './simulate-builds.ts';

/** What of an API was served before, and by which stages. */
interface Served {
  readonly after: readonly string[];
  readonly bodies: () => readonly Readonly<Record<string, unknown>>[];
}

type SimulatedApi = 'zap' | 'trade';

const SIMULATE = { zap: simulateZaps, trade: simulateTrades } as const;
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
  return (['zap', 'trade'] as const).map((api) => {
    const { after, bodies } = served[api];
    return {
      ...{ name: `${api} builds, simulated`, api, after, isAdditional: true },
      rules: new Set(RULES[api].map(({ id }) => id)),
      run: async () => {
        await SIMULATE[api](session, bodies(), notices);
        session.progress(`${nodes.spent} of ${nodes.most} requests to nodes sent`);
      },
    };
  });
}

/** Long because it is one list, and its order is what it says. */

import type { Stage } from '../../driven-service.ts';
import { API_NAMES } from '../../../contracts/service/wire/apis.ts';
import { driveAcceptance } from './acceptance.ts';
import { driveTradeAuthentication, driveZapAuthentication } from './authentication.ts';
import { driveTradeCallers, driveZapCallers } from './callers.ts';
import { driveLifeCycles } from '../life-cycles/index.ts';
import { contractStages } from '../../drive/contract-stages.ts';
import { driveAi, driveDocuments } from './docs.ts';
import { driveAgentAuth } from './agent-auth.ts';
import { errorCodes } from './error-codes.ts';
import { driveTradeErrors, driveZapErrors } from './errors.ts';
import { driveListingsExcluded, driveTradeExcluded, driveZapExcluded } from './excluded-inputs.ts';
import { ACCEPTED } from '../relations/index.ts';
import { watchInputs } from '../../drive/input-watch.ts';
import { driveListings } from './listings.ts';
import { driveUnspecifiedPools } from './pools.ts';
import { drivePoolRelations } from './pool-relations.ts';
import type { Session } from '../session/session.ts';
import { simulatedStages } from '../simulate/stages.ts';
import { driveSimultaneousTrades, driveSimultaneousZaps } from './simultaneous.ts';
import { driveOtherProviders } from './trade-providers.ts';
import { driveTradeRelations } from './trade-relations.ts';
import { driveUnspecifiedTrade } from './trade-unspecified.ts';
import { driveTrade } from './trade.ts';
import { driveHead, driveTransport, driveTransportErrors } from '../../drive/transport.ts';
import { RelationChecker } from '../../drive/relation-checker.ts';
import { driveZapRelations } from './zap-relations.ts';
import { driveUnspecifiedZap } from './zap-unspecified.ts';
import { driveZap } from './zap.ts';
import type { ServedRoute } from '../session/zap-request.ts';
import type { ZapBody } from '../session/zap-request.ts';

// Stages whose answers others are made from.
const DOCUMENTS = 'documents, discovery and registration';
const LISTINGS = 'chains, providers and pools';
const ZAPS = 'zap quotes and builds';
const TRADES = 'trade quotes and builds';

/** What the requests with inputs that nothing was served with are for. */
const INPUT_RULES: ReadonlySet<string> = new Set(
  ACCEPTED.flatMap(({ rules }) => rules.map(({ id }) => id)),
);

/**
 * All stages, in the order in which verdicts need them: what adds to them comes last.
 *
 * @param unasked is called with operations of a contract that could not be asked
 */
export function stagesOf(session: Session, unasked: string[]): Stage[] {
  let zapRoutes: readonly ServedRoute[] = [];
  let zapBodies: readonly ZapBody[] = [];
  const checker = new RelationChecker(session);
  let trades: Awaited<ReturnType<typeof driveTrade>> = [];
  let tradeBodies: (typeof trades)[number]['body'][] = [];
  const lifeCycles = driveLifeCycles(session, session.depth.lifeCycles);
  const inputs = ACCEPTED.map(({ input }) => input);
  const watch = watchInputs(session, inputs);
  const codes = { zap: errorCodes(session, 'zap'), trade: errorCodes(session, 'trade') };
  return [
    {
      name: DOCUMENTS,
      api: 'docs',
      run: async () => lifeCycles.register(await driveDocuments(session)),
    },
    {
      name: LISTINGS,
      api: 'zap',
      asks: ['zap.chains', 'zap.providers', 'zap.pools', 'zap.pool-details'],
      run: () => driveListings(session),
    },
    {
      name: 'relations between pool lists',
      api: 'zap',
      asks: ['zap.pools'],
      after: [LISTINGS],
      run: () => drivePoolRelations(session, checker),
    },
    {
      name: ZAPS,
      api: 'zap',
      asks: ['zap.quote', 'zap.build-tx'],
      after: [LISTINGS],
      run: async () => {
        zapRoutes = await driveZap(session, checker);
        zapBodies = zapRoutes.map(({ body }) => body);
      },
    },
    {
      name: TRADES,
      api: 'trade',
      asks: ['trade.quotes', 'trade.build-tx'],
      relates: false,
      after: [LISTINGS],
      run: async () => {
        trades = await driveTrade(session);
        await driveOtherProviders(session, trades);
        tradeBodies = trades.map(({ body }) => body);
      },
    },
    {
      name: 'transport and authentication of the zap API',
      api: 'zap',
      asks: ['zap.quote', 'zap.chains', 'zap.providers'],
      relates: false,
      after: [ZAPS],
      run: async () => {
        await driveTransport(session, 'zap.quote', zapBodies[0] ?? {});
        await driveHead(session, 'zap', '/v1/config/chains');
        await driveZapAuthentication(session);
      },
    },
    {
      name: 'transport and authentication of the trade API',
      api: 'trade',
      asks: ['trade.build-tx'],
      after: [TRADES],
      run: async () => {
        await driveTransport(session, 'trade.build-tx', tradeBodies[0] ?? {});
        await driveTradeAuthentication(session, tradeBodies[0]);
      },
    },
    { name: 'agent-auth endpoints', api: 'docs', run: () => driveAgentAuth(session) },
    { name: 'AI runtime', api: 'ai', run: () => driveAi(session) },
    {
      name: 'zap errors before any field is looked at',
      api: 'zap',
      asks: ['zap.quote', 'zap.pool-details'],
      relates: false,
      after: [ZAPS],
      run: async () => {
        await driveTransportErrors(session, 'zap.quote');
        await codes.zap(zapBodies[0]);
      },
    },
    {
      name: 'trade errors before any field is looked at',
      api: 'trade',
      asks: ['trade.build-tx'],
      relates: false,
      after: [TRADES],
      run: async () => {
        await driveTransportErrors(session, 'trade.build-tx');
        await codes.trade(tradeBodies[0]);
      },
    },
    {
      name: 'inputs that the document excludes, of lists and zaps',
      api: 'zap',
      asks: ['zap.pools', 'zap.pool-details', 'zap.quote', 'zap.build-tx'],
      after: [ZAPS],
      run: async () => {
        await driveListingsExcluded(session);
        await driveZapExcluded(session, zapRoutes);
      },
    },
    {
      name: 'inputs that the document excludes, of trades',
      api: 'trade',
      asks: ['trade.build-tx'],
      after: [TRADES],
      run: () => driveTradeExcluded(session, tradeBodies),
    },
    {
      name: 'relations between zap requests',
      api: 'zap',
      asks: ['zap.quote', 'zap.build-tx'],
      after: [ZAPS],
      run: () => driveZapRelations(session, checker, zapRoutes),
    },
    {
      name: 'relations between trade requests',
      api: 'trade',
      asks: ['trade.build-tx', 'trade.quotes'],
      after: [TRADES],
      run: () => driveTradeRelations(session, checker, trades),
    },
    {
      name: 'two zaps at the same moment',
      api: 'zap',
      asks: ['zap.quote', 'zap.build-tx'],
      after: [ZAPS],
      run: () => driveSimultaneousZaps(session, zapBodies),
    },
    {
      name: 'two trades at the same moment',
      api: 'trade',
      asks: ['trade.build-tx'],
      after: [TRADES],
      run: () => driveSimultaneousTrades(session, tradeBodies),
    },
    {
      name: 'one zap for two accounts',
      api: 'zap',
      asks: ['zap.build-tx'],
      after: [ZAPS],
      run: () => driveZapCallers(session, zapBodies[0]),
    },
    {
      name: 'one trade for two callers',
      api: 'trade',
      asks: ['trade.build-tx'],
      after: [TRADES],
      run: () => driveTradeCallers(session, tradeBodies),
    },
    {
      name: 'pools while filters combine',
      api: 'zap',
      asks: ['zap.pools'],
      after: [LISTINGS],
      run: () => lifeCycles.pools(),
    },
    {
      name: 'Idempotency-Key on the zap API',
      api: 'zap',
      asks: ['zap.quote', 'zap.build-tx'],
      after: [ZAPS],
      run: () => lifeCycles.keys('zap', zapBodies),
    },
    {
      name: 'Idempotency-Key on the trade API',
      api: 'trade',
      asks: ['trade.quotes', 'trade.build-tx'],
      after: [TRADES],
      run: () => lifeCycles.keys('trade', tradeBodies),
    },
    {
      name: 'zap errors once more, for their codes',
      api: 'zap',
      asks: ['zap.quote', 'zap.pool-details'],
      relates: false,
      after: [ZAPS],
      run: async () => {
        await driveTransportErrors(session, 'zap.quote');
        await codes.zap(zapBodies[0]);
      },
    },
    {
      name: 'trade errors once more, for their codes',
      api: 'trade',
      asks: ['trade.build-tx'],
      relates: false,
      after: [TRADES],
      run: async () => {
        await driveTransportErrors(session, 'trade.build-tx');
        await codes.trade(tradeBodies[0]);
      },
    },
    {
      name: 'the life of a credential',
      api: 'docs',
      after: [DOCUMENTS, TRADES],
      run: () => lifeCycles.credentials(tradeBodies),
    },
    ...(['zap', 'trade'] as const).map((api) => ({
      name: `inputs of the ${api} API that nothing was served with so far`,
      api,
      rules: INPUT_RULES,
      after: [ZAPS, TRADES],
      run: () => driveAcceptance(session, watch, api, { zapRoutes, tradeBodies }),
    })),
    ...contractStages(session, API_NAMES, unasked),
    {
      name: 'zap errors',
      api: 'zap',
      asks: ['zap.build-tx', 'zap.quote', 'zap.pool-details'],
      relates: false,
      after: [ZAPS],
      run: () => driveZapErrors(session, zapBodies[0] ?? {}),
    },
    {
      name: 'trade errors',
      api: 'trade',
      asks: ['trade.quotes', 'trade.build-tx'],
      relates: false,
      after: [LISTINGS],
      run: () => driveTradeErrors(session),
    },
    {
      name: 'what is unspecified of pools',
      api: 'zap',
      asks: ['zap.pools'],
      relates: false,
      after: [LISTINGS],
      isAdditional: true,
      run: () => driveUnspecifiedPools(session),
    },
    {
      name: 'what is unspecified of zap requests',
      api: 'zap',
      asks: ['zap.quote'],
      relates: false,
      after: [ZAPS],
      isAdditional: true,
      run: () =>
        zapBodies[0] === undefined ? Promise.resolve() : driveUnspecifiedZap(session, zapBodies[0]),
    },
    {
      name: 'what is unspecified of trade requests',
      api: 'trade',
      asks: ['trade.build-tx', 'zap.providers'],
      relates: false,
      after: [TRADES],
      isAdditional: true,
      run: () =>
        tradeBodies[0] === undefined
          ? Promise.resolve()
          : driveUnspecifiedTrade(session, tradeBodies[0]),
    },
    ...simulatedStages(session, unasked, {
      zap: { after: [ZAPS], bodies: () => zapBodies },
      trade: { after: [TRADES], bodies: () => tradeBodies },
    }),
  ];
}

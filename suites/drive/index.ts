import { ZAP_TRIALS } from '../../contracts/rules/2-1-zap-relations.ts';
import { TRADE_TRIALS } from '../../contracts/rules/2-3-trade-relations.ts';
import { POOL_TRIALS } from '../../contracts/rules/2-5-pool-limits.ts';
import type { ViewTrial } from '../../contracts/rules/trial.ts';
import { viewTrialOf } from '../../contracts/rules/trial.ts';
import type { FindingThen, RegressionRow, RunSearch } from '../../contracts/run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { API_NAMES } from '../../contracts/wire/exchange.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../fixtures/target/governor.ts';
import { UnsendableRequest } from '../../fixtures/target/transport.ts';
import { driveAcceptance } from './acceptance.ts';
import { driveTradeAuthentication, driveZapAuthentication } from './authentication.ts';
import { driveLifeCycles } from '../properties/life-cycles/index.ts';
import { driveContract, operationsBeyond } from './contract.ts';
import { driveAgentAuth, driveAi, driveDocuments } from './docs.ts';
import { errorCodes } from './error-codes.ts';
import { driveTradeErrors, driveTransportErrors, driveZapErrors } from './errors.ts';
import { watchFailures } from './failures.ts';
import { driveListingsExcluded, driveTradeExcluded, driveZapExcluded } from './excluded-inputs.ts';
import { watchInputs } from './input-watch.ts';
import { driveListings } from './listings.ts';
import { drivePoolRelations, drivePoolSilences } from './pools.ts';
import type { Client } from '../../fixtures/target/client.ts';
import type { Session } from './session.ts';
import { driveSimultaneousTrades, driveSimultaneousZaps } from './simultaneous.ts';
import { driveOtherProviders } from './trade-providers.ts';
import { sessionWith } from './session.ts';
import { driveTradeRelations } from './trade-relations.ts';
import { driveTradeSilences } from './trade-silences.ts';
import { driveTrade } from './trade.ts';
import { driveHead, driveTransport } from './transport.ts';
import { Trials } from './trials.ts';
import { driveZapRelations } from './zap-relations.ts';
import { driveZapSilences } from './zap-silences.ts';
import { driveZap } from './zap.ts';
import type { ServedRoute, ZapBody } from './zap.ts';

/** What the reader of a report must know of how the drive went. */
export interface DriveReport {
  /** Sentences about what could not be done and why. */
  readonly notices: readonly string[];
  /** Whether the drive ended before it was through. */
  readonly cutShort: boolean;
  /** What generating until the budget was spent has reached. */
  readonly search?: RunSearch;
  /** Of a replay: what the finding said then, as far as that is told. */
  readonly replayed?: { readonly then?: FindingThen };
  /** What became of the counterexamples of earlier runs. */
  readonly regressions?: readonly RegressionRow[];
}

/** One part of the drive: an API and what is done with it. */
interface Stage {
  readonly name: string;
  readonly api: ApiName;
  readonly run: () => Promise<unknown>;
  /** Adds to what verdicts rest on already: a budget that ends here does not cut the drive short. */
  readonly isMore?: true;
}

/** Requests of a drive over an API that serves everything, about; for the advice on a budget. */
const USUAL_REQUESTS = 420;

/**
 * Drives a target through every endpoint, stage by stage. An API that is not configured is left
 * out; one that cannot be reached, a budget that ends, or an interruption cuts the drive short and is
 * told.
 */
export async function drive(session: Session): Promise<DriveReport> {
  const { client } = session;
  const listening: (() => void)[] = [];
  const listen: Client['listen'] = (listener) => {
    const end = client.listen(listener);
    listening.push(end);
    return end;
  };
  try {
    return await driveStages(
      sessionWith(session, { client: { send: (request) => client.send(request), listen } }),
    );
  } finally {
    // Nobody learns from it what is sent afterwards, which may be much.
    for (const end of listening) end();
  }
}

async function driveStages(session: Session): Promise<DriveReport> {
  const notices: string[] = [];
  let cutShort = false;
  noteKnown(session);
  const unasked: string[] = [];
  const failures = watchFailures(session);
  let sent = 0;
  session.client.listen(() => (sent += 1));
  for (const { name, api, run, isMore } of stagesOf(session, unasked)) {
    if (!session.apis.has(api)) continue;
    session.progress(name);
    try {
      await run();
      await failures.askAgain();
    } catch (error) {
      if (error instanceof BudgetExceeded) {
        const ended = `${error.message}${adviceOn(error, sent)} The rest was left out, from: ${name}.`;
        return { notices: [...notices, ...unasked, ended], cutShort: cutShort || isMore !== true };
      }
      if (error instanceof Interrupted) {
        return { notices: [...notices, ...unasked, error.message], cutShort: true };
      }
      if (error instanceof UnsendableRequest) {
        // What the target told of itself cannot be sent back to it.
        cutShort ||= isMore !== true;
        notices.push(`${error.message}. The rest was left out of: ${name}.`);
        continue;
      }
      if (!(error instanceof ApiUnreachable)) throw error;
      cutShort = true;
      if (!notices.includes(error.message)) notices.push(error.message);
    }
  }
  const learned = learningNotices(session, notices.length > 0);
  return { notices: [...notices, ...learned, ...unasked], cutShort };
}

/** How much time a whole drive takes at the pace of one that ran out of it. */
function adviceOn({ which, value }: BudgetExceeded, sent: number): string {
  if (which !== 'seconds' || sent === 0 || sent >= USUAL_REQUESTS) return '';
  const seconds = Math.ceil((value * USUAL_REQUESTS) / sent / 60) * 60;
  return ` It allowed ${sent} requests; a whole drive sends about ${USUAL_REQUESTS}, for which --max-seconds ${seconds} is enough at this pace.`;
}

/** @param unasked is told of operations of a contract that could not be asked */
function stagesOf(session: Session, unasked: string[]): Stage[] {
  let zapRoutes: readonly ServedRoute[] = [];
  let zapBodies: readonly ZapBody[] = [];
  const trials = new Trials(session, ZAP_TRIALS.map(viewTrialOf));
  const tradeTrials = new Trials(session, TRADE_TRIALS as readonly ViewTrial[]);
  let trades: Awaited<ReturnType<typeof driveTrade>> = [];
  let tradeBodies: (typeof trades)[number]['body'][] = [];
  const lifeCycles = driveLifeCycles(session, session.depth.lifeCycles);
  const watch = watchInputs(session);
  const codes = { zap: errorCodes(session, 'zap'), trade: errorCodes(session, 'trade') };
  return [
    {
      name: 'documents, discovery and registration',
      api: 'docs',
      run: async () => lifeCycles.register(await driveDocuments(session)),
    },
    { name: 'chains, providers and pools', api: 'zap', run: () => driveListings(session) },
    {
      name: 'relations between pool lists',
      api: 'zap',
      run: () =>
        drivePoolRelations(session, new Trials(session, POOL_TRIALS as readonly ViewTrial[])),
    },
    {
      name: 'zap quotes and builds',
      api: 'zap',
      run: async () => {
        zapRoutes = await driveZap(session, trials);
        zapBodies = zapRoutes.map(({ body }) => body);
      },
    },
    {
      name: 'trade quotes and builds',
      api: 'trade',
      run: async () => {
        trades = await driveTrade(session);
        await driveOtherProviders(session, trades);
        tradeBodies = trades.map(({ body }) => body);
      },
    },
    {
      name: 'transport and authentication of the zap API',
      api: 'zap',
      run: async () => {
        await driveTransport(session, 'zap', '/v1/quote', zapBodies[0] ?? {});
        await driveHead(session, 'zap', '/v1/config/chains');
        await driveZapAuthentication(session);
      },
    },
    {
      name: 'transport and authentication of the trade API',
      api: 'trade',
      run: async () => {
        await driveTransport(session, 'trade', '/v1/buildTx', tradeBodies[0] ?? {});
        await driveTradeAuthentication(session, tradeBodies[0] ?? {});
      },
    },
    { name: 'agent-auth endpoints', api: 'docs', run: () => driveAgentAuth(session) },
    { name: 'AI runtime', api: 'ai', run: () => driveAi(session) },
    {
      name: 'zap errors before any field is looked at',
      api: 'zap',
      run: async () => {
        await driveTransportErrors(session, 'zap', '/v1/quote');
        await codes.zap(zapBodies[0]);
      },
    },
    {
      name: 'trade errors before any field is looked at',
      api: 'trade',
      run: async () => {
        await driveTransportErrors(session, 'trade', '/v1/buildTx');
        await codes.trade(tradeBodies[0]);
      },
    },
    {
      name: 'inputs that the document excludes, of lists and zaps',
      api: 'zap',
      run: async () => {
        await driveListingsExcluded(session);
        await driveZapExcluded(session, zapRoutes);
      },
    },
    {
      name: 'inputs that the document excludes, of trades',
      api: 'trade',
      run: () => driveTradeExcluded(session, tradeBodies),
    },
    {
      name: 'relations between zap requests',
      api: 'zap',
      run: () => driveZapRelations(session, trials, zapRoutes),
    },
    {
      name: 'relations between trade requests',
      api: 'trade',
      run: () => driveTradeRelations(session, tradeTrials, trades),
    },
    {
      name: 'two zaps at the same moment',
      api: 'zap',
      run: () => driveSimultaneousZaps(session, zapBodies),
    },
    {
      name: 'two trades at the same moment',
      api: 'trade',
      run: () => driveSimultaneousTrades(session, tradeBodies),
    },
    { name: 'pools while filters combine', api: 'zap', run: () => lifeCycles.pools() },
    {
      name: 'Idempotency-Key on the zap API',
      api: 'zap',
      run: () => lifeCycles.keys('zap', zapBodies),
    },
    {
      name: 'Idempotency-Key on the trade API',
      api: 'trade',
      run: () => lifeCycles.keys('trade', tradeBodies),
    },
    {
      name: 'zap errors once more, for their codes',
      api: 'zap',
      run: async () => {
        await driveTransportErrors(session, 'zap', '/v1/quote');
        await codes.zap(zapBodies[0]);
      },
    },
    {
      name: 'trade errors once more, for their codes',
      api: 'trade',
      run: async () => {
        await driveTransportErrors(session, 'trade', '/v1/buildTx');
        await codes.trade(tradeBodies[0]);
      },
    },
    {
      name: 'the life of a credential',
      api: 'docs',
      run: () => lifeCycles.credentials(tradeBodies),
    },
    ...(['zap', 'trade'] as const).map((api) => ({
      name: `inputs of the ${api} API that nothing was served with so far`,
      api,
      run: () => driveAcceptance(session, watch, api, { zapRoutes, tradeBodies }),
    })),
    ...API_NAMES.filter((api) => operationsBeyond(session, api).length > 0).map((api) => ({
      name: `${api} operations of the contract`,
      api,
      run: async () => unasked.push(...(await driveContract(session, api))),
    })),
    {
      name: 'zap errors',
      api: 'zap',
      isMore: true,
      run: () => driveZapErrors(session, zapBodies[0] ?? {}),
    },
    {
      name: 'trade errors',
      api: 'trade',
      isMore: true,
      run: () => driveTradeErrors(session),
    },
    {
      name: 'silences about pools',
      api: 'zap',
      isMore: true,
      run: () => drivePoolSilences(session),
    },
    {
      name: 'silences about zap requests',
      api: 'zap',
      isMore: true,
      run: () =>
        zapBodies[0] === undefined ? Promise.resolve() : driveZapSilences(session, zapBodies[0]),
    },
    {
      name: 'silences about trade requests',
      api: 'trade',
      isMore: true,
      run: () =>
        tradeBodies[0] === undefined
          ? Promise.resolve()
          : driveTradeSilences(session, tradeBodies[0]),
    },
  ];
}

/** Why routes could not be asked for, where nothing else has been said already. */
function learningNotices({ apis, world }: Session, said: boolean): string[] {
  if (said || world.routablePools.length > 0) return [];
  if (apis.has('zap')) {
    return ['The zap API lists no pool with two EVM tokens, so no route could be asked for.'];
  }
  if (!apis.has('trade')) return [];
  return [
    'Nothing tells which tokens the trade API knows: give the zap API with --zap-url, or known.chains in assay.config.',
  ];
}

/** Takes the configuration's hints for a target that lists nothing itself. */
function noteKnown({ world, known }: Session): void {
  for (const { id, tokens, providers } of known) {
    world.chainIds.push(id);
    world.noteProviders(
      id,
      providers.map((provider) => ({ id: provider, type: 'unknown' })),
    );
    const [address] = tokens;
    if (address !== undefined) world.pools.push({ chainId: id, address, protocol: '', tokens });
  }
}

import { loadContract } from '../../../contracts/service/load-contract.ts';
import { Judge } from '../../../contracts/judging/judge.ts';
import { PROFILES } from '../../../contracts/judging/profile.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { API_NAMES, type DocumentApi } from '../../../contracts/service/wire/apis.ts';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import type { ReferenceOptions } from '../../../fixtures/service/reference/index.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { createClient } from '../../../target/transport/client.ts';
import { fromFetch } from '../../../target/transport/fetch-transport.ts';
import { createGovernor } from '../../../target/budget/governor.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { driveDocuments } from '../drive/docs.ts';
import { createRandom } from '../../drive/random.ts';
import type { Session } from '../session/session.ts';
import { createSession } from '../../drive/session.ts';
import { tokenAddresses } from '../session/world.ts';
import { agentAuthFormsIn } from './agent-auth-forms.ts';
import type { LifeCycleWorld } from './plan.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { DRIVEN } from '../driving.ts';

const contract = await loadContract();

/** A service to run life cycles on; the plain reference service if nothing is said. */
export interface Target {
  readonly seed?: number;
  readonly apply?: Decorator;
  readonly options?: Partial<ReferenceOptions>;
}

/** A session on a service in the same process, and all that it has exchanged. */
export interface Tried {
  readonly session: Session;
  readonly world: LifeCycleWorld;
  readonly exchanges: readonly Exchange[];
  /** Broken rules, and whether the rules named have evidence. */
  readonly broken: () => readonly string[];
}

/** A session that knows the pools of the service, a zap body and a trade body that it serves. */
export async function tried({ seed = 1, apply, options }: Target = {}): Promise<Tried> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(seed);
  const urls = Object.fromEntries(API_NAMES.map((api) => [api, `http://${api}.invalid`])) as Record<
    DocumentApi,
    string
  >;
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const required = defaultReferenceOptions({ seed, environment, baseUrls: urls });
  const plain = createReferenceService({ ...required, ...options });
  const service = apply?.(plain, seed) ?? plain;
  const exchanges: Exchange[] = [];
  const judge = new Judge(RULES, contract);
  const budget = { maxRequests: 5_000, maxSeconds: 36_000, maxRejects: 1_000 };
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: {
      ...{ zapUrl: urls.zap, tradeUrl: urls.trade, docsUrl: urls.docs, aiUrl: urls.ai },
      ...{ timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    },
    transport: fromFetch((request) =>
      service.fetch(
        API_NAMES.find((api) => request.url.startsWith(`${urls[api]}/`)) ?? 'docs',
        request,
        '127.0.0.1',
      ),
    ),
    redactor: createRedactor({}),
    governor: createGovernor({ waitIn: TYPED_ERRORS.waitIn, budget, clock }),
    clock,
    listeners: [
      (exchange) => {
        exchanges.push(exchange);
        judge.add(exchange);
      },
    ],
  });
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, clock, random: createRandom(seed), apis: new Set(API_NAMES) },
    ...{ known: [], keyedCredential: 'none', depth: PROFILES.gate, progress: () => undefined },
  });
  const world = await learned(session);
  exchanges.length = 0;
  return {
    session,
    world,
    exchanges,
    broken: () =>
      judge
        .results()
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
        .map(({ rule }) => rule.id),
  };
}

async function learned(session: Session): Promise<LifeCycleWorld> {
  const published = await driveDocuments(session);
  const { outcome } = published ?? {};
  const text = outcome?.kind === 'response' ? outcome.response.body.text : '';
  const get = async (path: string): Promise<unknown> => {
    const answer = await session.client.send({
      ...{ api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } },
    });
    const body = answer.outcome.kind === 'response' ? answer.outcome.response.body.text : '{}';
    return (JSON.parse(body) as { data: unknown }).data;
  };
  for (const chainId of Object.keys((await get('/v1/config/chains')) as object).map(Number)) {
    const { pools } = (await get(`/v1/pools?chainId=${chainId}&limit=200`)) as {
      pools: { address: string; protocol: string; tokens: unknown }[];
    };
    for (const { address, protocol, tokens } of pools) {
      session.world.pools.push({ chainId, address, protocol, tokens: tokenAddresses(tokens) });
    }
  }
  const [pool] = session.world.routablePools;
  if (pool === undefined) throw new Error('the reference service lists no pool');
  const [srcToken, destToken] = pool.tokens;
  const account = `0x${'1'.repeat(40)}`;
  const { chainId } = pool;
  const amount = '1000000000';
  const entry = { srcToken, destToken, slippage: 1, recipient: account, amount };
  const zapBody = { ...entry, srcChainId: chainId, destChainId: chainId, account };
  const tradeBody = {
    ...{ fromChain: chainId, sender: account, refundee: account, gasless: false },
    hasPermit2ApprovalForAllTokens: false,
    data: [{ ...entry, toChain: chainId, protocol: pool.protocol }],
  };
  return {
    ...{ zapBodies: [zapBody], tradeBodies: [tradeBody], pools: session.world.pools },
    forms: agentAuthFormsIn(text),
  };
}

import { TRADE_KEY } from '../../target/config/secrets.ts';
import { DOCUMENT } from '../../contracts/service/index.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { generatorsOf } from '../../fixtures/service/generators/index.ts';
import type { DrivenService, Driving } from '../driven-service.ts';
import type { TriedRequest } from '../drive/tried-request.ts';
import type { Session } from './session/session.ts';
import { stagesOf } from './drive/stages.ts';
import { LearnedWorld } from './session/world.ts';
import { FIELD_GROUPS } from './field-groups.ts';
import { valuesOf } from './known-values.ts';
import { longerLives } from './life-cycles/longer-lives.ts';
import { REACHES } from './reached.ts';
import { RELATIONS } from './relations/index.ts';
import { relatedTo } from './relations/related.ts';

/** What drives a service of the interface document. */
const DRIVING: Driving<LearnedWorld> = {
  keyedApis: ['trade'],
  keyVariable: TRADE_KEY,
  createWorld: (known) => new LearnedWorld(known),
  renewWorld: (world) => world.renewed(),
  stagesOf,
  usualRequests: 510,
  unaskable,
  valuesOf,
  generatorsOf,
  // Most turns go to what promises most is made of.
  searchTurns: { 'zap.quote': 4, 'zap.build-tx': 4, 'trade.build-tx': 4, 'zap.pools': 3 },
  relations: RELATIONS,
  relatedTo,
  livesOf: longerLives,
  cheapRequests: {
    zap: ['GET /v1/config/chains', 'GET /v1/config/providers'],
    trade: ['POST /v1/quotes', 'POST /v1/buildTx'],
  },
  reaches: REACHES,
  fieldGroups: FIELD_GROUPS,
  isSpent,
  readBy,
};

/** The service of the interface document, as the suites drive it. */
export const DRIVEN: DrivenService<LearnedWorld> = { ...DOCUMENT, ...DRIVING };

/** Whether, and why, the target names no tokens between which a route could be asked for. */
function unaskable({ apis, world }: Pick<Session, 'apis' | 'world'>): string | undefined {
  const isRouteless = (apis.has('zap') || apis.has('trade')) && world.routablePools.length === 0;
  // A list that was not served shows nothing; the outcome says that it was not.
  if (!isRouteless || (apis.has('zap') && !world.isListed)) return undefined;
  const unasked = [
    ...(apis.has('zap') ? ['zap.quote', 'zap.build-tx'] : []),
    ...(apis.has('trade') ? ['trade.build-tx'] : []),
  ].join(', ');
  const end = `so no route could be asked for: of ${unasked} nothing is known.`;
  if (!apis.has('zap')) {
    return `Nothing says which tokens the trade API knows, ${end} Give the zap API with --zap-url, or known.chains in assay.config.`;
  }
  // What is read once at the start says nothing of later.
  return world.chainIds.length === 0
    ? `When the drive read /v1/config/chains, the zap API listed no chain, ${end}`
    : `When the drive read the pools of each chain, no list that the zap API served held one with two EVM tokens, ${end}`;
}

/** Whether a request registers for, claims or gives up a credential, rather than asks for nothing. */
function isSpent({ api, method, secretsIn, credential = 'none' }: TriedRequest): boolean {
  if (api !== 'docs' || method !== 'POST') return false;
  const isMadeUp = typeof credential === 'object' && 'public' in credential;
  return secretsIn !== undefined || !(credential === 'none' || isMadeUp);
}

/** What a rule over a whole run compares answers with: the lists that it also reads. */
function readBy({ api, operations }: Rule): TriedRequest[] {
  const paths = { 'zap.chains': '/v1/config/chains', 'zap.providers': '/v1/config/providers' };
  return Object.entries(paths)
    .filter(([id]) => operations.includes(id))
    .map(([, path]) => ({ api, method: 'GET', path, purpose: { kind: 'valid' } }));
}

import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { agentAuthEndpointRule } from './agent-auth-endpoints.ts';
import { baseIn, isSameBase } from '../shared/bases.ts';
import { DISCOVERY_OPERATIONS, METADATA_OPERATIONS } from '../shared/operations.ts';
import { AGENT_AUTH, isOfAgentAuth, wellFormedValues } from '../shared/documented-shape.ts';
import { brokenBySchema } from '../../../rules/schema-broken.ts';

/** The documented places (sections 4.3 and 5.4) below {docs_url}. */
const SKILL_PATH = '/auth.md';
const ENDPOINT_PATHS: readonly (readonly [member: string, path: string])[] = [
  ['register_uri', '/.well-known/agent-auth/register'],
  ['claim_uri', '/.well-known/agent-auth/claim'],
  ['revocation_uri', '/.well-known/agent-auth/revoke'],
];

function agentAuthOf(view: View): JsonObject | undefined {
  const agentAuth = member(view.json, 'agent_auth');
  return isObject(agentAuth) ? agentAuth : undefined;
}

interface Discovery {
  readonly operation: string;
  readonly hasAgentAuth: boolean;
}

// Section 5.4: a discovery document has agent_auth. Which of the three it is, is not stated, so only
// when all three were seen is it missing.
function judgePresence(documents: readonly Collected<Discovery>[]): GroupJudgement[] {
  const holder = documents.find(({ fact }) => fact.hasAgentAuth);
  if (holder !== undefined) return [{ witnesses: [holder.witness], judgement: [] }];
  const seen = new Set(documents.map(({ fact }) => fact.operation));
  if (DISCOVERY_OPERATIONS.some((operation) => !seen.has(operation))) return [];
  const expected = 'agent_auth, an object, in one of the discovery documents';
  const broken = [{ pointer: AGENT_AUTH, expected, actual: 'in none of them' }];
  return [{ witnesses: documents.map(({ witness }) => witness), judgement: broken }];
}

/** A rule on agent_auth, wherever it is. */
function onAgentAuth(
  rule: Pick<Rule, 'id' | 'level' | 'source' | 'protects' | 'rulesOut'> & {
    readonly judge: (agentAuth: JsonObject) => readonly Broken[] | null;
  },
): Rule {
  return exchangeRule({
    ...rule,
    api: 'docs',
    operations: DISCOVERY_OPERATIONS,
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const agentAuth = agentAuthOf(view);
      return agentAuth === undefined ? null : rule.judge(agentAuth);
    },
  });
}

// Section 5.4: the skill is the document at {docs_url}/auth.md.
function skillFaults({ skill }: JsonObject): readonly Broken[] | null {
  if (typeof skill !== 'string') return null;
  if (skill.endsWith(SKILL_PATH)) return [];
  const expected = `the document at {docs_url}${SKILL_PATH}`;
  return [{ pointer: `${AGENT_AUTH}/skill`, expected, actual: skill }];
}

// Section 4.3 states where the endpoints are that section 5.4 names: under the same {docs_url} as
// the skill. A path without scheme and host is the business of `values.url`.
function endpointFaults(agentAuth: JsonObject): readonly Broken[] | null {
  const { skill } = agentAuth;
  if (typeof skill !== 'string' || !skill.endsWith(SKILL_PATH)) return null;
  const docs = baseIn(skill.slice(0, -SKILL_PATH.length));
  if (docs === undefined) return null;
  const broken: Broken[] = [];
  let judged = false;
  for (const [name, path] of ENDPOINT_PATHS) {
    const uri = agentAuth[name];
    if (typeof uri !== 'string' || !URL.canParse(uri)) continue;
    judged = true;
    const base = baseIn(uri);
    if (base !== undefined && isSameBase(base, { ...docs, path: docs.path + path })) continue;
    const expected = skill.slice(0, -SKILL_PATH.length) + path;
    broken.push({ pointer: `${AGENT_AUTH}/${name}`, expected, actual: uri });
  }
  return judged ? broken : null;
}

// RFC 9110 section 4.2: what a client of these APIs can ask for has the scheme http or https. User
// information in it is deprecated (4.2.4), a fragment would not be sent (RFC 9110 section 7.1).
function unaskableUris(agentAuth: JsonObject): readonly Broken[] | null {
  const broken: Broken[] = [];
  let judged = false;
  for (const name of ['skill', ...ENDPOINT_PATHS.map(([uri]) => uri)]) {
    const uri = agentAuth[name];
    if (typeof uri !== 'string' || !URL.canParse(uri)) continue;
    judged = true;
    const { protocol, username, hash } = new URL(uri);
    if (/^https?:$/.test(protocol) && username === '' && hash === '') continue;
    const expected = 'an http or https URL without user information and fragment';
    broken.push({ pointer: `${AGENT_AUTH}/${name}`, expected, actual: uri });
  }
  return judged ? broken : null;
}

/** Rules on the agent-auth members (section 5.4). */
export const agentAuthRules: readonly Rule[] = [
  runRule<Discovery>({
    id: 'docs.agent-auth.present',
    level: 'must',
    source: '§5.4',
    protects: 'An agent finds in the discovery documents how to get a credential.',
    rulesOut:
      'A service whose discovery documents are those of plain OAuth, or that spells the member agentAuth.',
    api: 'docs',
    operations: DISCOVERY_OPERATIONS,
    answer: 'success',
    once: true,
    leastEvidence: 1,
    // What is no JSON object is the business of other rules.
    collect: (view) =>
      isObject(view.json)
        ? {
            operation: view.operation?.id ?? '',
            hasAgentAuth: agentAuthOf(view) !== undefined,
          }
        : null,
    conclude: judgePresence,
  }),
  exchangeRule({
    id: 'docs.agent-auth.members',
    level: 'must',
    source: '§5.4',
    protects: 'The members of agent_auth are there, typed and with the documented values.',
    rulesOut:
      'A service that leaves a member out, nests the lists in another way, or offers the anonymous a bearer.',
    api: 'docs',
    operations: METADATA_OPERATIONS,
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      if (member(view.json, 'agent_auth') === undefined) return null;
      return brokenBySchema(
        view,
        ({ facet, pointer }) => facet === undefined && isOfAgentAuth(pointer),
      );
    },
  }),
  {
    ...wellFormedValues(
      'docs',
      {
        name: 'url',
        source: '§5.4',
        protects: 'The members of agent_auth that name a place are URLs.',
      },
      METADATA_OPERATIONS,
      (json) => member(json, 'agent_auth') !== undefined,
    ),
    rulesOut: 'A service that names its endpoints by their paths alone.',
  },
  onAgentAuth({
    id: 'docs.agent-auth.skill',
    level: 'must',
    source: '§5.4',
    protects: 'The skill is the auth description document, auth.md.',
    rulesOut: 'A service whose skill is a page of its documentation rather than auth.md.',
    judge: skillFaults,
  }),
  onAgentAuth({
    id: 'docs.agent-auth.endpoints',
    level: 'must',
    source: '§4.3, §5.4',
    protects: 'The URIs of agent_auth name the documented endpoints of the docs host.',
    rulesOut:
      'A service whose URIs name one endpoint twice, a path that was changed, or another host.',
    judge: endpointFaults,
  }),
  onAgentAuth({
    id: 'docs.agent-auth.web-uris',
    level: 'should',
    source: 'RFC 9110 section 4.2',
    protects: 'An agent can ask for the URIs of agent_auth as they are.',
    rulesOut: 'A service that names its endpoints by a scheme of its own, or with a fragment.',
    judge: unaskableUris,
  }),
  agentAuthEndpointRule,
];

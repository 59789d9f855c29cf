import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const DOCS = 'https://docs.example';
const CLAIM = `${DOCS}/.well-known/agent-auth/claim`;
const AGENT_AUTH = {
  skill: `${DOCS}/auth.md`,
  register_uri: `${DOCS}/.well-known/agent-auth/register`,
  claim_uri: `${DOCS}/.well-known/agent-auth/claim`,
  revocation_uri: `${DOCS}/.well-known/agent-auth/revoke`,
  identity_types_supported: ['anonymous', 'identity_assertion'],
  anonymous: { credential_types_supported: ['api_key'] },
  identity_assertion: {
    assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
    credential_types_supported: ['api_key', 'bearer'],
  },
};
const at = (name: string, answered: unknown, sketch: WireSketch = {}): WireSketch => ({
  api: 'docs',
  path: `/.well-known/${name}`,
  answered,
  ...sketch,
});
const resource = (answered: unknown): WireSketch => at('oauth-protected-resource', answered);
const server = (answered: unknown): WireSketch => at('oauth-authorization-server', answered);
const catalog = (answered: unknown, sketch?: WireSketch): WireSketch =>
  at('api-catalog', answered, sketch);

describe('agent_auth is there', () => {
  const rule = 'docs.agent-auth.present';

  test('in any of the three documents', () => {
    const holder = { agent_auth: AGENT_AUTH };
    expect(verdictOf(rule, resource(holder), server({}), catalog({}))).toBe('pass');
    expect(verdictOf(rule, resource({}), server({}), catalog(holder))).toBe('pass');
    expect(verdictOf(rule, server(holder))).toBe('pass');
  });

  test('it is missing only when all three were seen', () => {
    const none = { agentAuth: AGENT_AUTH };
    expect(verdictOf(rule, resource({}), server(none), catalog({}))).toBe('fail /agent_auth');
    expect(verdictOf(rule, resource({}), server(none))).toBe('not-reached');
    expect(verdictOf(rule, resource([]), server({}), catalog({}))).toBe('not-reached');
  });
});

describe('its members', () => {
  const judged = (rule: string, change: Record<string, unknown>): string =>
    verdictOf(`docs.${rule}`, server({ agent_auth: { ...AGENT_AUTH, ...change } }));

  test.each([
    ['agent-auth.members', {}, 'pass'],
    [
      'agent-auth.members',
      { identity_types_supported: ['identity_assertion', 'anonymous', 'x'] },
      'pass',
    ],
    ['agent-auth.members', { claim_uri: undefined }, 'fail /agent_auth/claim_uri'],
    ['agent-auth.members', { anonymous: ['api_key'] }, 'fail /agent_auth/anonymous'],
    ['agent-auth.members', { skill: '/auth.md' }, 'pass'],
    ['values.url', { skill: '/auth.md' }, 'fail /agent_auth/skill'],
    ['agent-auth.skill', {}, 'pass'],
    ['agent-auth.skill', { skill: `${DOCS}/skill.md` }, 'fail /agent_auth/skill'],
    ['agent-auth.skill', { skill: 7 }, 'not-reached'],
    ['agent-auth.endpoints', {}, 'pass'],
    [
      'agent-auth.members',
      { anonymous: { credential_types_supported: ['api_key', 'bearer'] } },
      'fail /agent_auth/anonymous/credential_types_supported/1',
    ],
    [
      'agent-auth.members',
      { anonymous: { credential_types_supported: ['api_key', 'session'] } },
      'pass',
    ],
    ['agent-auth.endpoints', { claim_uri: `${DOCS}/claim` }, 'fail /agent_auth/claim_uri'],
    ['agent-auth.endpoints', { claim_uri: CLAIM.replace('docs.', 'DOCS.') }, 'pass'],
    ['agent-auth.endpoints', { claim_uri: `${CLAIM}#a` }, 'pass'],
    ['agent-auth.endpoints', { claim_uri: '/claim' }, 'pass'],
    ['agent-auth.endpoints', { claim_uri: 'agent:claim' }, 'fail /agent_auth/claim_uri'],
    ['agent-auth.endpoints', { skill: '/auth.md' }, 'not-reached'],
    ['agent-auth.web-uris', {}, 'pass'],
    ['agent-auth.web-uris', { claim_uri: 'mailto:a@docs.example' }, 'warn /agent_auth/claim_uri'],
    ['agent-auth.web-uris', { skill: 'https://a@docs.example/auth.md' }, 'warn /agent_auth/skill'],
  ])('%s of %j', (rule, change, verdict) => {
    expect(judged(rule, change)).toBe(verdict);
  });

  test('are left out of the shape of the documents', () => {
    const document = server({ agent_auth: {} });
    expect(verdictOf('docs.authorization-server.response-shape', document)).toBe('pass');
  });
});

describe('metadata', () => {
  test.each([
    [{ resource: 'https://api.example/v1?a=1' }, 'pass'],
    [{ resource: 'https://api.example', authorization_servers: [] }, 'pass'],
    [{ resource: 'https://api.example#a' }, 'warn /resource'],
    [{ authorization_servers: [DOCS] }, 'warn /resource'],
    [{ resource: DOCS, authorization_servers: DOCS }, 'warn /authorization_servers'],
    [{ resource: DOCS, authorization_servers: ['docs'] }, 'warn /authorization_servers'],
  ])('of a protected resource: %j', (answered, verdict) => {
    expect(verdictOf('docs.protected-resource.metadata', resource(answered))).toBe(verdict);
  });

  test.each([
    [{ issuer: DOCS, response_types_supported: [] }, 'pass'],
    [{ issuer: `${DOCS}?a`, response_types_supported: ['none'] }, 'warn /issuer'],
    [{ issuer: DOCS, response_types_supported: 'none' }, 'warn /response_types_supported'],
    [{}, 'warn /issuer /response_types_supported'],
  ])('of an authorization server: %j', (answered, verdict) => {
    expect(verdictOf('docs.authorization-server.metadata', server(answered))).toBe(verdict);
  });

  const item = [{ href: 'https://api.example' }];
  test.each([
    [{ linkset: [{ anchor: DOCS, item }] }, 'pass'],
    [{ linkset: [{ item, 'service-doc': [{ href: DOCS, type: 'text/html' }] }] }, 'pass'],
    [{ linkset: [] }, 'warn /linkset'],
    [{ links: [] }, 'warn /linkset'],
    [{ linkset: [{ anchor: DOCS, item: { href: DOCS } }] }, 'warn /linkset/0/item'],
    [{ linkset: [{ item }, { item: [{ url: DOCS }] }] }, 'warn /linkset/1/item'],
    [{ linkset: [{ anchor: 7, item }, 'a'] }, 'warn /linkset/0/anchor'],
  ])('of a catalog: %j', (answered, verdict) => {
    const headers = { 'content-type': 'application/linkset+json; profile="a"' };
    const said = verdictOf('docs.api-catalog.metadata', catalog(answered, { headers }));
    expect(said).toMatch(new RegExp(`^${verdict}`));
  });

  test('of a catalog are announced as a link set', () => {
    const linkset = { linkset: [{ item }] };
    expect(verdictOf('docs.api-catalog.metadata', catalog(linkset))).toBe('warn /');
  });
});

describe('HEAD of the catalog', () => {
  const head = (link: string | undefined, status = 200): string =>
    verdictOf(
      'docs.api-catalog.head-link',
      catalog(
        {},
        {
          method: 'HEAD',
          status,
          text: '',
          headers: link === undefined ? {} : { Link: link },
        },
      ),
    );

  test.each([
    ['</.well-known/api-catalog>; rel="api-catalog"', 200, 'pass'],
    ['<a>; rel="x", <b>; title="c"; rel=api-catalog', 200, 'pass'],
    ['<b>; rel="item api-catalog"', 200, 'pass'],
    ['<api-catalog>; rel="item"', 200, 'warn /'],
    [undefined, 200, 'warn /'],
    ['<b>; rel="api-catalog"', 405, 'warn /'],
  ])('Link: %s with %i', (link, status, verdict) => {
    expect(head(link, status)).toBe(verdict);
  });

  test('is asked of that request alone', () => {
    expect(verdictOf('docs.api-catalog.head-link', catalog({}))).toBe('not-reached');
  });
});

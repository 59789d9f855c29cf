import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const METADATA = '/.well-known/oauth-protected-resource';

function document(name: string, answered: unknown): WireSketch {
  return { api: 'docs', path: `/.well-known/${name}`, answered };
}

const resource = (url: string, servers: readonly string[] = []): WireSketch =>
  document('oauth-protected-resource', { resource: url, authorization_servers: servers });
const server = (issuer: string): WireSketch => document('oauth-authorization-server', { issuer });
const catalog = (...urls: readonly string[]): WireSketch =>
  document('api-catalog', { linkset: [{ item: urls.map((href) => ({ href })) }] });
const challenge = (origin: string): WireSketch => ({
  ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', status: 401 },
  headers: { 'www-authenticate': `Bearer resource_metadata="${origin}${METADATA}"` },
});

test.each<[string, WireSketch[], string]>([
  ['is listed', [resource('https://t', ['https://d', 'https://e']), server('https://e')], 'pass'],
  ['is listed with a slash', [resource('https://t', ['https://d/']), server('https://d')], 'pass'],
  [
    'is on another host',
    [resource('https://t', ['https://d']), server('https://e')],
    'fail /issuer',
  ],
  ['is http', [resource('https://t', ['https://d']), server('http://d')], 'fail /issuer'],
  ['is alone', [server('https://d')], 'not-reached'],
  ['is beside no list', [resource('https://t'), server('https://d')], 'not-reached'],
])('an issuer that %s', (_, sketches, verdict) => {
  expect(verdictOf('docs.authorization-server.issuer-as-listed', ...sketches)).toBe(verdict);
});

test.each<[string, WireSketch[], string]>([
  ['the scheme of the catalog', [resource('https://t/v'), catalog('https://t')], 'pass'],
  ['another scheme', [resource('http://t/v'), catalog('https://t')], 'warn /resource'],
  ['http, as all documents', [resource('http://t'), catalog('http://t')], 'pass'],
  ['either scheme', [resource('http://t'), catalog('https://t', 'http://t')], 'pass'],
  ['another port', [resource('https://t:8443'), catalog('http://t')], 'not-reached'],
  ['a host of its own', [resource('http://t'), catalog('https://z')], 'not-reached'],
  ['http in the challenge alone', [challenge('http://d'), server('https://d')], 'warn /'],
  ['https in the challenge, too', [challenge('https://d'), server('https://d')], 'pass'],
])('places with %s', (_, sketches, verdict) => {
  expect(verdictOf('docs.discovery.named-as-elsewhere', ...sketches)).toBe(verdict);
});

test.each([
  ['https', 'warn /agent_auth/register_uri'],
  ['http', 'pass'],
])('agent-auth endpoints in http beside an issuer in %s', (scheme, verdict) => {
  const agentAuth = { register_uri: 'http://d/a', claim_uri: 'http://d/b' };
  const json = { issuer: `${scheme}://d`, agent_auth: agentAuth };
  const sketch = document('oauth-authorization-server', json);
  expect(verdictOf('docs.agent-auth.one-origin', sketch)).toBe(verdict);
});

test.each<[string, object, string]>([
  ['one origin', { register_uri: 'https://d/a', claim_uri: 'https://d/b' }, 'pass'],
  ['the port of the scheme', { register_uri: 'https://d/a', claim_uri: 'https://d:443/b' }, 'pass'],
  [
    'two schemes',
    { register_uri: 'https://d/a', claim_uri: 'http://d/b' },
    'warn /agent_auth/claim_uri',
  ],
  ['one of them', { register_uri: 'https://d/a' }, 'not-reached'],
])('agent-auth endpoints with %s', (_, agentAuth, verdict) => {
  const sketch = document('oauth-authorization-server', { agent_auth: agentAuth });
  expect(verdictOf('docs.agent-auth.one-origin', sketch)).toBe(verdict);
});

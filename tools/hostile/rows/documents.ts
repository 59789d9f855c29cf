import { NEARLY_4_MIB } from '../service/bodies.ts';
import type { Row } from '../row.ts';
import { target } from './kit.ts';

const YAML: readonly (readonly [name: string, body: string, size: number, fast: boolean])[] = [
  ['100,000 keys', 'yaml-keys', 100_000, false],
  ['60,000 merge keys', 'yaml-merge-keys', 60_000, false],
  ['an alias bomb', 'yaml-alias-bomb', 9, true],
  ['flow lists nested 100,000 deep', 'yaml-deep-flow', 100_000, false],
  ['flow maps nested 20,000 deep', 'yaml-deep-flow-maps', 20_000, false],
  ['blocks nested 2,500 deep', 'yaml-deep-block', 2_500, false],
  ['a scalar of 4 MiB', 'yaml-scalar', NEARLY_4_MIB - 20, false],
  ['a folded scalar of 4 MiB', 'yaml-folded', NEARLY_4_MIB - 20, false],
  ['4 MiB of escaped quotes', 'yaml-quotes', NEARLY_4_MIB - 20, false],
  ['200,000 anchors', 'yaml-anchors', 200_000, false],
  ['tabs', 'yaml-tabs', 1, false],
  ['a function', 'yaml-function', 1, false],
  ['200,000 documents', 'yaml-documents', 200_000, false],
  ['4 MiB of comments', 'yaml-comments', NEARLY_4_MIB - 40, false],
  ['an alias of itself', 'yaml-self-alias', 1, false],
];
const TEXTS: readonly (readonly [
  path: string,
  name: string,
  body: string,
  size: number,
  fast: boolean,
])[] = [
  ['/llms.txt', '100,000 links', 'llms-links', 100_000, false],
  ['/llms.txt', '4 MiB of brackets', 'llms-brackets', NEARLY_4_MIB, true],
  ['/llms.txt', '4 MiB of opened links', 'llms-parentheses', NEARLY_4_MIB - 8, false],
  ['/llms.txt', '4 MiB of hashes', 'llms-hashes', NEARLY_4_MIB, false],
  ['/auth.md', '4 MiB of brackets', 'llms-brackets', NEARLY_4_MIB, false],
  ['/.well-known/api-catalog', '30,000 anchors', 'linkset', 30_000, false],
  ['/.well-known/api-catalog', '100,000 links', 'linkset-one-anchor', 90_000, true],
  ['/.well-known/oauth', '100,000 members', 'metadata-members', 100_000, false],
  ['/.well-known/oauth', 'deep objects', 'deep-objects', 100_000, false],
];
const LURE_MEMBERS = [
  ...['skill', 'register_uri', 'claim_uri', 'revocation_uri', 'registration_endpoint'],
  ...[
    'token_endpoint',
    'revocation_endpoint',
    'authorization_endpoint',
    'issuer',
    'resource',
    'jwks_uri',
  ],
];

/** Documents of the docs host that are large, deep, or lead elsewhere. */
export const DOCUMENT_ROWS: readonly Row[] = [
  ...YAML.flatMap(([name, text, size, fast]) =>
    target(
      `openapi.yaml with ${name}`,
      [
        {
          how: 'body',
          text,
          size,
          api: 'docs',
          path: '/openapi.yaml',
          headers: { 'content-type': 'application/yaml' },
        },
        {
          how: 'body',
          text,
          size,
          api: 'docs',
          path: '/api/openapi.yaml',
          headers: { 'content-type': 'application/yaml' },
        },
      ],
      { fast },
    ),
  ),
  ...TEXTS.flatMap(([path, name, text, size, fast]) =>
    target(`${path} with ${name}`, { how: 'body', text, size, api: 'docs', path }, { fast }),
  ),
  ...target(
    'metadata that names another host',
    {
      how: 'set-members',
      api: 'docs',
      path: '/.well-known/oauth',
      members: LURE_MEMBERS,
      text: '{trap}/.well-known/agent-auth/register',
    },
    { fast: true, requests: 1_000, seconds: 20, timeoutMs: 2_000, exits: [0, 1, 3] },
  ),
  ...target(
    'metadata that names files and odd schemes',
    {
      how: 'set-members',
      api: 'docs',
      path: '/.well-known/oauth',
      members: LURE_MEMBERS,
      text: 'file:///etc/passwd',
    },
    { requests: 1_000, seconds: 20, timeoutMs: 2_000 },
  ),
  ...target(
    'metadata that names the zap API for registration',
    {
      how: 'set-members',
      api: 'docs',
      path: '/.well-known/oauth',
      members: LURE_MEMBERS,
      text: '{zap}/v1/pools',
    },
    { requests: 1_000, seconds: 20, timeoutMs: 2_000 },
  ),
  ...target(
    'metadata with secrets in its URLs',
    {
      how: 'set-members',
      api: 'docs',
      path: '/.well-known/oauth',
      members: LURE_MEMBERS,
      text: 'http://$ASSAY_TRADE_KEY:x@127.0.0.2/$ASSAY_SECRET_GATEWAY',
    },
    { requests: 1_000, seconds: 20, timeoutMs: 2_000 },
  ),
  ...target('llms.txt and openapi.yaml that name another host', [
    {
      how: 'fixed',
      api: 'docs',
      path: '/llms.txt',
      text: '# T\n- [a]({trap}/a)\n',
      headers: { 'content-type': 'text/plain' },
    },
    {
      how: 'fixed',
      api: 'docs',
      path: '/openapi.yaml',
      text: 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\nservers: [{url: "{trap}"}]\npaths:\n  /v1/quote: {$ref: "{trap}/quote.yaml"}\n',
      headers: { 'content-type': 'application/yaml' },
    },
  ]),
  ...target(
    'a challenge that names another host',
    {
      how: 'fixed',
      api: 'trade',
      size: 401,
      text: '{"status":401,"code":"UNAUTHORIZED","message":"no","requestId":"r"}',
      headers: {
        'content-type': 'application/json',
        'www-authenticate': 'Bearer resource_metadata="{trap}/x"',
      },
    },
    { requests: 150 },
  ),
  ...target(
    'registrations that say wait a year',
    {
      how: 'set-members',
      api: 'docs',
      path: '/.well-known/agent-auth',
      members: ['status', 'interval', 'expires_in', 'retryAfter', 'claim_token_expires'],
      text: '31536000',
    },
    // The document promises none of these members, so a machine that is fast enough finds nothing broken.
    { requests: 1_000, seconds: 10, timeoutMs: 1_000, exits: [0, 1, 3] },
  ),
];

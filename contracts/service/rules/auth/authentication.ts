import { excerpt } from '../../../judging/excerpt.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { headerOf, headersOf } from '../../../wire/exchange.ts';
import { agentAuthRules } from '../docs/agent-auth.ts';
import { agreeingDocumentRules } from '../docs/agreeing-documents.ts';
import { apiCatalogRules } from '../docs/api-catalog.ts';
import { credentialLifeRules } from './credential-life.ts';
import { discoveryRules } from '../docs/discovery.ts';
import { docsHostRule } from './docs-host.ts';
import { madeUpKeysRule } from './made-up-keys.ts';
import { unknownKeyLimitRule } from './unknown-key-limit.ts';
import { unknownKeyRule } from './unknown-key.ts';
import { METADATA_PATH, metadataUrlOf } from '../shared/challenge.ts';
import { ZAP_OPERATIONS } from '../shared/operations.ts';

/** The code that goes with a missing or invalid credential (section 7). */
const UNAUTHORIZED = 'UNAUTHORIZED';

const UNAUTHENTICATED = 401;

// Section 5.3: `Bearer resource_metadata="{docs_url}/.well-known/oauth-protected-resource"`. Other
// parameters and challenges beside it are legal (RFC 9110 section 11.6.1). Where {docs_url} is, is the
// business of a rule of its own.
function challengeFaults(view: View): readonly Broken[] {
  const fields = headersOf(view.responseHeaders, 'www-authenticate');
  if (metadataUrlOf(view) !== undefined) return [];
  const expected = `WWW-Authenticate: Bearer resource_metadata="{docs_url}${METADATA_PATH}"`;
  const actual = fields.length === 0 ? 'no WWW-Authenticate' : fields.join(', ');
  return [{ pointer: '', expected, actual: excerpt(actual, 200) }];
}

const unauthenticated = {
  level: 'must',
  answer: 'error',
  leastEvidence: 1,
} as const;

export const authenticationRules: readonly Rule[] = [
  // Sections 4.1 and 5.1: the zap API needs no credential.
  exchangeRule({
    id: 'zap.auth.no-credential-needed',
    level: 'must',
    source: '§4.1, §5.1',
    protects: 'A request without a credential is not turned away for that.',
    rulesOut:
      'A service that puts its zap API behind the keys of its trade API: what is served here has no credential.',
    api: 'zap',
    operations: ZAP_OPERATIONS,
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      if (headerOf(view.exchange.request.headers, 'authorization') !== undefined) return null;
      // What is refused for another reason might be refused for this one first.
      if (view.succeeded) return [];
      if (view.status !== UNAUTHENTICATED) return null;
      const actual = `401 ${excerpt(view.text, 120)}`;
      return [{ pointer: '', expected: 'an answer to a request without credential', actual }];
    },
  }),
  exchangeRule({
    ...unauthenticated,
    id: 'trade.auth.challenge',
    source: '§5.3',
    protects: 'A client that is refused for its credential learns where to get one.',
    rulesOut:
      'A service that refuses keys with a realm alone, an unquoted or relative URL, or no challenge at all.',
    api: 'trade',
    operations: '*',
    judge: (view) => (view.status === UNAUTHENTICATED ? challengeFaults(view) : null),
  }),
  docsHostRule,
  // Section 4.3 puts the revocation of a credential beside its discovery. That it takes the
  // credential that is to be revoked, and so is protected, is likely, not stated.
  exchangeRule({
    ...unauthenticated,
    id: 'docs.revoke.challenge',
    level: 'should',
    source: 'implied by §5.3',
    protects: 'A client whose revocation is refused for its credential learns where to get one.',
    rulesOut:
      'A service whose trade API has the challenge, but whose revocation answers a bare 401.',
    api: 'docs',
    operations: ['docs.revoke'],
    judge: (view) => (view.status === UNAUTHENTICATED ? challengeFaults(view) : null),
  }),
  // Section 7: UNAUTHORIZED says that the credential is missing or invalid, and so does status 401
  // (RFC 9110 section 15.5.2). With which other status the code may go is not shown.
  exchangeRule({
    ...unauthenticated,
    id: 'trade.auth.unauthorized-code',
    source: '§7',
    protects: 'A credential that is missing or invalid is reported by the code UNAUTHORIZED.',
    rulesOut: 'A service that names its refusals of keys by codes of its own, or in lower case.',
    api: 'trade',
    operations: '*',
    judge: (view) => {
      const code = errorCodeOf(view.json);
      if (view.status !== UNAUTHENTICATED || code === undefined) return null;
      return code === UNAUTHORIZED
        ? []
        : [{ pointer: '/code', expected: UNAUTHORIZED, actual: view.raw('/code') }];
    },
  }),
  unknownKeyRule,
  unknownKeyLimitRule,
  madeUpKeysRule,
  // Section 5.7: credentials are never exposed in logs or prompts, where answers end up.
  exchangeRule({
    id: 'trade.auth.credential-not-echoed',
    looksForSecrets: true,
    level: 'should',
    source: 'implied by §5.7',
    protects: 'A credential that was sent does not come back in the answer.',
    rulesOut:
      'A service that quotes the key in a message or in a header field left from debugging.',
    api: 'trade',
    operations: '*',
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      const credential = credentialOf(view);
      if (credential === undefined) return null;
      return holds(view, credential)
        ? [
            {
              pointer: '',
              expected: 'no credential in the answer',
              actual: 'the one that was sent',
            },
          ]
        : [];
    },
  }),
  ...credentialLifeRules,
  ...agentAuthRules,
  ...discoveryRules,
  ...apiCatalogRules,
  ...agreeingDocumentRules,
];

/** Shorter ones might stand in an answer by chance. */
const MIN_CREDENTIAL = 8;

/** The credential that the request carried, as the record has it. */
function credentialOf(view: View): string | undefined {
  const field = headerOf(view.exchange.request.headers, 'authorization');
  const credential = field?.split(' ').at(-1);
  if (credential === undefined || credential.length < MIN_CREDENTIAL) return undefined;
  return credential === '[redacted]' ? undefined : credential;
}

function holds(view: View, credential: string): boolean {
  return (
    view.text.includes(credential) ||
    view.responseHeaders.some(([, value]) => value.includes(credential))
  );
}

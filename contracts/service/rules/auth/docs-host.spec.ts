import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const RULE = 'trade.auth.challenge-names-docs-host';
const METADATA = '/.well-known/oauth-protected-resource';

/** A document of the docs host that calls it by a name; asked at http://127.0.0.1. */
const named = (base: string): WireSketch => ({
  api: 'docs',
  path: METADATA,
  answered: { resource: 'https://trade.example', resource_documentation: `${base}/auth.md` },
});
const challenged = (base: string, sketch: WireSketch = {}): WireSketch => ({
  api: 'trade',
  method: 'POST',
  path: '/v1/buildTx',
  status: 401,
  headers: { 'WWW-Authenticate': `Bearer resource_metadata="${base}${METADATA}"` },
  ...sketch,
});

describe('the docs host of a challenge', () => {
  test.each([
    ['https://docs.example', 'https://docs.example'],
    ['https://docs.example:443', 'https://DOCS.example'],
    ['https://docs.example/site', 'https://docs.example/site'],
    // RFC 9728 section 3.1 puts the name before the path.
    ['https://docs.example', 'https://docs.example/site'],
    // As it is asked, whatever it calls itself.
    ['http://127.0.0.1', 'https://docs.example'],
    ['http://localhost', 'https://docs.example'],
  ])('%s is %s', (base, name) => {
    expect(verdictOf(RULE, named(name), challenged(base))).toBe('pass');
  });

  test.each(['https://docs.staging.example', 'https://docs.example:8443', 'http://127.0.0.1:4302'])(
    '%s is another',
    (base) => {
      expect(verdictOf(RULE, named('https://docs.example'), challenged(base))).toBe('fail /');
    },
  );

  test('may be one with the host of the trade API, but not its path', () => {
    const docs = { ...named('http://127.0.0.1/docs') };
    const own = challenged('http://127.0.0.1/v1x', { path: '/v1/buildTx' });
    expect(verdictOf(RULE, docs, own)).toBe('pass');
  });

  test('counts in the answer to a revocation, too', () => {
    const revoke = { api: 'docs', path: '/.well-known/agent-auth/revoke' } as const;
    const wrong = challenged('https://other.example', revoke);
    expect(verdictOf(RULE, named('https://docs.example'), wrong)).toBe('fail /');
  });

  test('is not known if no document names it', () => {
    expect(verdictOf(RULE, challenged('https://other.example'))).toBe('not-reached');
    const silent: WireSketch = { ...named(''), answered: { resource: 'https://trade.example' } };
    expect(verdictOf(RULE, silent, challenged('https://other.example'))).toBe('not-reached');
  });

  test('is the business of another rule if the challenge has another form', () => {
    const headers = { 'WWW-Authenticate': 'Bearer realm="a"' };
    const bare = challenged('', { headers });
    expect(verdictOf(RULE, named('https://docs.example'), bare)).toBe('not-reached');
  });
});

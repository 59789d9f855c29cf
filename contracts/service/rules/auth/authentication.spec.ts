import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const BUILD = { api: 'trade', method: 'POST', path: '/v1/buildTx' } as const;
const BEARER = [['Authorization', 'Bearer assay-no-such-key-1']] as const;
const URL_ = 'http://127.0.0.1:4302/.well-known/oauth-protected-resource';
const METADATA = `resource_metadata="${URL_}"`;

describe('the challenge', () => {
  const challenged = (value: string | null, status = 401): string =>
    verdictOf('trade.auth.challenge', {
      ...BUILD,
      status,
      headers: value === null ? {} : { 'WWW-Authenticate': value },
    });

  test.each([
    `Bearer ${METADATA}`,
    `bearer  Resource_Metadata = "${URL_}"`,
    `Bearer ${METADATA}, error="invalid_token"`,
    `Bearer error="invalid_token", ${METADATA}`,
    `Basic realm="a", Bearer ${METADATA}`,
    `Bearer resource_metadata="https://docs.example/base/.well-known/oauth-protected-resource"`,
  ])('%s', (value) => {
    expect(challenged(value)).toBe('pass');
  });

  test.each([
    null,
    'Bearer',
    'Bearer realm="a"',
    `DPoP ${METADATA}`,
    `Bearer resource_metadata=${URL_}`,
    'Bearer resource_metadata="/.well-known/oauth-protected-resource"',
    `Bearer resource_metadata="${URL_}/trade"`,
    `Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-authorization-server"`,
  ])('not %s', (value) => {
    expect(challenged(value)).toBe('fail /');
  });

  test('is asked of 401 alone', () => {
    expect(challenged(null, 403)).toBe('not-reached');
  });
});

test.each([
  [401, 'UNAUTHORIZED', 'pass'],
  [401, 'unauthorized', 'fail /code'],
  [401, undefined, 'not-reached'],
  [403, 'FORBIDDEN', 'not-reached'],
])('the code of %i is %s', (status, code, verdict) => {
  expect(verdictOf('trade.auth.unauthorized-code', { ...BUILD, status, answered: { code } })).toBe(
    verdict,
  );
});

describe('zap needs no credential', () => {
  const rule = 'zap.auth.no-credential-needed';

  test('so it is not asked for one', () => {
    expect(verdictOf(rule, {})).toBe('pass');
    expect(verdictOf(rule, { status: 403 })).toBe('not-reached');
    expect(verdictOf(rule, { status: 401 })).toBe('fail /');
    expect(verdictOf(rule, { status: 401, asked: BEARER })).toBe('not-reached');
  });
});

describe('an unknown key', () => {
  const rule = 'trade.auth.unknown-key';
  const inRole = (role: string, sketch: WireSketch = {}): WireSketch => ({
    ...BUILD,
    relations: [{ kind: 'unknown-key', group: 'trade', role }],
    ...sketch,
  });
  const withKey = (sketch: WireSketch): string =>
    verdictOf(rule, inRole('A'), inRole('B', sketch), inRole('A2'));

  test('is refused as such, if it is refused', () => {
    expect(withKey({ status: 401 })).toBe('pass');
    expect(withKey({ status: 403, answered: { code: 'UNAUTHORIZED' } })).toBe('pass');
    expect(withKey({ status: 403, answered: { code: 'FORBIDDEN' } })).toBe('warn /');
    expect(withKey({ status: 500 })).toBe('not-reached');
    expect(withKey({ status: 200 })).toBe('not-reached');
    expect(withKey({ status: 429 })).toBe('not-reached');
  });

  test('says nothing if the request is refused without it', () => {
    const refused = inRole('A2', { status: 404 });
    expect(verdictOf(rule, inRole('A'), inRole('B', { status: 404 }), refused)).toBe('not-reached');
    expect(verdictOf(rule, inRole('A'), inRole('B', { status: 404 }))).toBe('not-reached');
  });
});

describe('a credential does not come back', () => {
  const sent = (sketch: WireSketch): string =>
    verdictOf('trade.auth.credential-not-echoed', { ...BUILD, asked: BEARER, ...sketch });

  test('in body or headers', () => {
    expect(sent({ status: 401, answered: { message: 'unknown key' } })).toBe('pass');
    expect(sent({ answered: { message: 'assay-no-such-key-1' } })).toBe('warn /');
    expect(sent({ headers: { 'X-Debug': 'k=assay-no-such-key-1' } })).toBe('warn /');
  });

  test('nothing is said where none was sent, or it cannot be determined', () => {
    expect(sent({ asked: [] })).toBe('not-reached');
    const masked = [['Authorization', 'Basic [redacted]']] as const;
    expect(sent({ asked: masked, answered: '[redacted]' })).toBe('not-reached');
    expect(sent({ asked: [['Authorization', 'Bearer a']], answered: 'a' })).toBe('not-reached');
  });
});

import { describe, expect, test } from 'vitest';
import { NO_ENDPOINT } from './agent-auth-endpoints.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const RULE = 'docs.agent-auth.endpoints-are-there';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const CLAIM = '/.well-known/agent-auth/claim';
let count = 0;

function asked(path: string, method: string, status: number, sketch: WireSketch = {}): WireSketch {
  count += 1;
  const message = `no route ${method} ${path}`;
  const answered = { status, code: 'NOT_FOUND', message, requestId: `r${count}` };
  return { api: 'docs', method, path, sent: {}, status, answered, ...sketch };
}

const absent = (path = CLAIM): WireSketch[] => METHODS.map((method) => asked(path, method, 404));
const malformed = (sketch: WireSketch = {}): WireSketch =>
  asked(CLAIM, 'POST', 404, { sent: undefined, ...sketch });
const beside = [asked(NO_ENDPOINT, 'POST', 404), asked(NO_ENDPOINT, 'OPTIONS', 404)];

test('an endpoint that no method finds is not there', () => {
  expect(verdictOf(RULE, ...absent(), malformed(), ...beside)).toBe('warn /');
  const anyOptions = [asked(CLAIM, 'OPTIONS', 204), asked(NO_ENDPOINT, 'OPTIONS', 204)];
  const [post] = beside;
  expect(post).toBeDefined();
  const others = absent().filter(({ method }) => method !== 'OPTIONS');
  expect(verdictOf(RULE, ...others, malformed(), beside[0] ?? {}, ...anyOptions)).toBe('warn /');
});

test('one that answers anything else is', () => {
  for (const [method, status] of [
    ['POST', 400],
    ['GET', 405],
    ['DELETE', 204],
    ['OPTIONS', 204],
  ] as const) {
    const found = asked(CLAIM, method, status);
    expect(verdictOf(RULE, ...absent(), malformed(), ...beside, found)).toBe('pass');
  }
  const own = { status: 404, code: 'NOT_FOUND', message: 'no such claim', requestId: 'r' };
  const unknown = asked(CLAIM, 'POST', 404, { answered: own });
  expect(verdictOf(RULE, ...absent(), malformed(), ...beside, unknown)).toBe('pass');
  const mistaken = malformed({ status: 400 });
  expect(verdictOf(RULE, ...absent(), mistaken, ...beside)).toBe('pass');
});

test('nothing is said before all was tried, and of outages', () => {
  expect(verdictOf(RULE, ...absent(), ...beside)).toBe('not-reached');
  expect(verdictOf(RULE, ...absent(), malformed())).toBe('not-reached');
  expect(verdictOf(RULE, ...absent().slice(1), malformed(), ...beside)).toBe('not-reached');
  expect(verdictOf(RULE, asked(CLAIM, 'POST', 503))).toBe('not-reached');
});

describe('a host of pages', () => {
  const page = { text: '<!doctype html><title>Docs</title>' };
  const pages = (path: string): WireSketch[] =>
    METHODS.map((method) =>
      method === 'GET' ? asked(path, method, 200, page) : asked(path, method, 405),
    );
  const noJson = malformed({ status: 405 });

  test('has no endpoint if it answers as for any path', () => {
    expect(verdictOf(RULE, ...pages(CLAIM), noJson, ...pages(NO_ENDPOINT))).toBe('warn /');
  });

  test('has one if it refuses methods that it does not refuse beside it', () => {
    expect(verdictOf(RULE, ...pages(CLAIM), noJson, ...absent(NO_ENDPOINT))).toBe('pass');
    const found = pages(CLAIM).map((one) =>
      one.method === 'PUT' ? asked(CLAIM, 'PUT', 400) : one,
    );
    expect(verdictOf(RULE, ...found, noJson, ...pages(NO_ENDPOINT))).toBe('pass');
  });

  test('has one if the page is that of the endpoint alone', () => {
    const others = pages(NO_ENDPOINT).filter(({ method }) => method !== 'GET');
    const none = asked(NO_ENDPOINT, 'GET', 404);
    expect(verdictOf(RULE, ...pages(CLAIM), noJson, ...others, none)).toBe('pass');
  });
});

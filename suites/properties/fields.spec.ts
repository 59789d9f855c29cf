import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { omit } from '../../contracts/wire/json.ts';
import { objectIn, type TriedRequest } from '../drive/tried-request.ts';
import { differences, fieldsOf, withFieldsOf } from './fields.ts';

const plain: TriedRequest = {
  api: 'zap',
  method: 'POST',
  path: '/v1/quote?x=1',
  json: { a: '1', list: ['p'], data: [{ amount: '5', to: 'q' }] },
  purpose: { kind: 'valid' },
};

test('a request has fields by name, entries of lists of objects among them', () => {
  expect(Object.fromEntries(fieldsOf({ ...plain, headers: [['Idempotency-Key', 'k']] }))).toEqual({
    method: 'POST',
    path: '/v1/quote',
    'query/x': '1',
    'header/idempotency-key': 'k',
    'body/a': '"1"',
    'body/list': '["p"]',
    'body/data/0/amount': '"5"',
    'body/data/0/to': '"q"',
  });
});

test('the Content-Type of JSON is no field of its own, another is', () => {
  const typed = (type: string): TriedRequest => ({ ...plain, headers: [['Content-Type', type]] });
  expect(differences(typed('application/json'), plain)).toEqual([]);
  expect(differences(typed('text/plain'), plain)).toEqual(['header/content-type']);
});

test.each<[string, Partial<TriedRequest>, string[]]>([
  ['nothing', {}, []],
  ['a value', { json: { ...(plain.json as object), a: '2' } }, ['body/a']],
  ['a key more', { json: { ...(plain.json as object), b: null } }, ['body/b']],
  [
    'an entry more',
    { json: { a: '1', list: ['p'], data: [{ amount: '5', to: 'q' }, { amount: '6' }] } },
    ['body/data/1'],
  ],
  [
    'a value of an entry',
    { json: { a: '1', list: ['p'], data: [{ amount: '6', to: 'q' }] } },
    ['body/data/0/amount'],
  ],
  ['a query parameter', { path: '/v1/quote?x=2&y=3' }, ['query/x', 'query/y']],
])('%s differs', (_, change, wanted) => {
  expect(differences({ ...plain, ...change }, plain)).toEqual(wanted);
});

test('text that is no object is one field, however much the other has', () => {
  expect(differences({ ...omit(plain, 'json'), rawBody: '{"' }, plain)).toEqual(['body']);
});

test('what is put back no longer differs', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  const body = fc.record(
    {
      a: value,
      b: value,
      list: fc.array(fc.string(), { maxLength: 3 }),
      data: fc.array(fc.record({ amount: value, to: value }, { requiredKeys: [] }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: ['data'] },
  );
  fc.assert(
    fc.property(body, fc.nat(), (json, choice) => {
      const request = { ...plain, path: '/v1/quote', json };
      const left = differences(request, plain);
      fc.pre(left.length > 0);
      const chosen = left[choice % left.length] ?? '';
      const changed = withFieldsOf(request, plain, [chosen]);
      const still = differences(changed, plain);
      // Entries that follow one that is dropped take its place.
      expect(still.length).toBeLessThan(left.length);
      expect(differences(withFieldsOf(request, plain, left), plain)).toEqual([]);
    }),
  );
});

test('a text that would be another one when it is written again has no fields', () => {
  expect(objectIn('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['{"a":1,"a":2}', '{"a":1.0}', '{ "a":1}', '[1]', 'null', undefined]) {
    expect(objectIn(text)).toBeUndefined();
  }
});

test('a key of any characters is a field of its own', () => {
  const keys = ['a/b', 'a~1b', 'a~b', 'a'];
  const json = Object.fromEntries(keys.map((key, at) => [key, at]));
  const odd: TriedRequest = { ...plain, json };
  const names = [...fieldsOf(odd).keys()].filter((name) => name.startsWith('body/'));
  expect(new Set(names).size).toBe(keys.length);
  for (const [at, name] of names.entries()) {
    const changed = withFieldsOf({ ...plain, json: {} }, odd, [name]);
    expect(changed.json).toEqual({ [keys[at] ?? '']: at });
  }
});

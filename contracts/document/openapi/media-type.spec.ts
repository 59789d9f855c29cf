import { expect, test } from 'vitest';
import { cpuClock } from '../../cpu-clock.testkit.ts';
import { bestStated, isJsonRange, isJsonType, readAs } from './media-type.ts';

const stated = (...types: readonly string[]): { readonly type: string }[] =>
  types.map((type) => ({ type }));

test.each<[sent: string, best: string | undefined, types: readonly string[]]>([
  ['application/json', 'application/json', ['*/*', 'application/*', 'application/json']],
  ['application/xml', 'application/*', ['*/*', 'application/*', 'application/json']],
  ['text/plain', '*/*', ['*/*', 'application/*', 'application/json']],
  ['text/plain', undefined, ['application/*', 'application/json']],
  [
    'application/vnd.x+json',
    'application/vnd.x+json',
    ['application/json', 'application/vnd.x+json'],
  ],
  ['application/vnd.y+json', 'application/*+json', ['application/*', 'application/*+json']],
  ['Application/JSON ;charset=utf-8', 'application/json', ['application/json']],
  ['application/json', 'application/json; charset=utf-8', ['application/json; charset=utf-8']],
  ['text/csv;charset="UTF8"', 'text/csv; charset=utf-8', ['text/csv; charset=utf-8']],
  ['text/csv; charset=latin1', undefined, ['text/csv; charset=utf-8']],
  ['text/csv; charset=latin1', 'text/csv', ['text/csv; charset=utf-8', 'text/csv']],
  ['a/b; version=2', 'a/b;version=2', ['a/b;version=1', 'a/b;version=2']],
  ['a/b; version=3', 'a/b;version=1', ['a/b;version=1']],
  ['a/b; p="a;c"', 'a/b; p="a;c"', ['a/b; p="a;b"', 'a/b; p="a;c"']],
  ['a/b; p="a;c" ; q=2', 'a/b; q=2; p="a;c"', ['a/b; p="a;c"', 'a/b; q=2; p="a;c"']],
  ['a/b; p="\\"x;q=1\\""', 'a/b; p="\\"x;q=1\\""', ['a/b; q=1', 'a/b; p="\\"x;q=1\\""']],
  ['a/b; p="a=1"', 'a/b; p="\\a=1"', ['a/b; p="a=2"', 'a/b; p="\\a=1"']],
  ['a/b; p="a; q=1', 'a/b; q=1', ['a/b; q=1', 'a/b; p=a']],
  ['a/b', undefined, ['a/b;version=1', 'a/b;version=2']],
  ['a/b', 'a/b', ['a/b', 'a/b;version=2']],
  ['a/b;version=2', 'a/b;version=2', ['a/b', 'a/b;version=2']],
  [
    'application/json',
    'application/json',
    [
      'text/json',
      'application/json',
      'application/json;odata.metadata=minimal',
      'application/*+json',
    ],
  ],
  ['json', undefined, ['*/*', 'json']],
  ['', undefined, ['*/*']],
])('of content of %s the best stated is %s', (sent, best, types) => {
  expect(bestStated(stated(...types), sent)?.type).toBe(best);
  expect(bestStated(stated(...types.toReversed()), sent)?.type).toBe(best);
});

test.each<[sent: string | undefined, read: string | undefined, types: readonly string[]]>([
  [undefined, 'application/json', ['application/json']],
  [undefined, undefined, ['application/json', 'text/plain']],
  ['text/json', 'application/json', ['application/json', 'text/plain']],
  ['application/problem+json', 'application/json', ['application/json', 'text/plain']],
  ['application/problem+json', undefined, ['application/json', 'application/hal+json']],
  ['text/html', undefined, ['application/json', 'text/plain']],
  ['text/html', 'application/json', ['application/json']],
])('content of %s is read as %s', (sent, read, types) => {
  expect(readAs(stated(...types), sent)?.type).toBe(read);
});

test('JSON is known by its names, and not what only begins so', () => {
  const names = ['application/json', 'text/json; charset=utf-8', 'application/problem+json'];
  expect(names.filter((name) => !isJsonType(name))).toEqual([]);
  const others = [
    'application/json-seq',
    'application/jsonl',
    'application/x-ndjson',
    'application/stream+json',
    'json',
    '*/*',
  ];
  expect(others.filter((name) => isJsonType(name))).toEqual([]);
  expect(['*/*', 'application/*', 'text/*', 'image/png'].map(isJsonRange)).toEqual([
    ...[true, true, false, false],
  ]);
});

test('a field of great length costs little', () => {
  const cpuMs = cpuClock();
  for (const part of [';', 'a=";', '/', 'a/b;', 'a/b;c="', 'a/b;c="\\', '"']) {
    bestStated(stated('application/json'), part.repeat(1_000_000));
  }
  expect(cpuMs()).toBeLessThan(1_000);
});

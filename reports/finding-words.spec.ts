import { expect, test } from 'vitest';
import { placeAmongWords, placeWords, reproducedWords, wasWords } from './finding-words.ts';

const rule = { id: 'docs.llms.names-all' };
const finding = { pointer: '', expected: 'an index', actual: 'nothing' };

test('a finding without a place says what it is about', () => {
  expect(placeWords(rule, finding)).toBe('the response as a whole of docs.llms');
  expect(wasWords(rule, finding)).toBe('docs.llms: expected an index, was nothing');
  const ofOperation = { ...finding, operation: 'docs.index' };
  expect(placeWords(rule, ofOperation)).toBe('the response as a whole of docs.index');
  expect(wasWords(rule, ofOperation)).toBe('docs.index: expected an index, was nothing');
});

test('and one with a place is said by that', () => {
  const there = { ...finding, pointer: '/data/0', actual: '"1"' };
  expect(placeWords(rule, there)).toBe('/data/0');
  expect(wasWords(rule, there)).toBe('data/0 was "1"');
  expect(wasWords(rule, { ...there, pointer: '/a/0/b' })).toBe('b was "1"');
});

test('and by its operation as well if its rule is broken at several', () => {
  const [quote, build] = ['zap.quote', 'zap.build-tx'].map((operation) => ({
    ...{ operation, pointer: '/data/0', expected: '', actual: '', curl: '' },
    ...{ exchanges: ['x00001'], count: 1 },
  }));
  if (quote === undefined || build === undefined) throw new Error('there are two');
  expect(placeAmongWords({ ...rule, findings: [quote, build] }, build)).toBe(
    '/data/0 of zap.build-tx',
  );
  expect(placeAmongWords({ ...rule, findings: [build] }, build)).toBe('/data/0');
});

test('what was not reproduced says why', () => {
  const words = (times: number, of: number, judged?: number): string =>
    reproducedWords({ reproduced: { times, of, ...(judged === undefined ? {} : { judged }) } });
  expect(words(3, 3)).toBe('reproduced 3 of 3 times');
  expect(words(1, 3)).toBe('reproduced 1 of 3 times, intermittent');
  expect(words(0, 3, 2)).toBe('reproduced 0 of 2 times, intermittent');
  expect(words(0, 3, 0)).toBe('not reproduced alone');
  expect(words(0, 0)).toBe('not sent again');
});

test('what is empty was nothing', () => {
  expect(wasWords(rule, { ...finding, actual: '' })).toBe(
    'docs.llms: expected an index, was nothing',
  );
});

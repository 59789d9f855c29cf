import { expect, test } from 'vitest';
import { placeWords, wasWords } from './finding-words.ts';

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

test('what is empty was nothing', () => {
  expect(wasWords(rule, { ...finding, actual: '' })).toBe(
    'docs.llms: expected an index, was nothing',
  );
});

import { expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { chosenTasks } from './chosen-tasks.ts';

const TASKS = [
  { kind: 'clean', id: '' },
  { kind: 'fault', id: 'zap-late' },
  { kind: 'variant', id: 'node-late' },
  { kind: 'variant', id: 'tokens' },
];
const NAMES = {
  has: ({ id }: { readonly id: string }, text: string): boolean => id.includes(text),
  ...{ what: 'fault or variant', known: ['tokens'] },
};
const chosen = (only?: readonly string[]): string[] =>
  chosenTasks(TASKS, only, NAMES).map(({ id }) => id);

test('each text of --only chooses services, beside the clean one', () => {
  expect(chosen()).toHaveLength(4);
  expect(chosen(['node', 'tok'])).toStrictEqual(['', 'node-late', 'tokens']);
});

test('a text of --only that chooses nothing is wrong use, whatever the others choose', () => {
  expect(() => chosen(['node', 'tokns'])).toThrow(UsageError);
  expect(() => chosen(['node', 'tokns'])).toThrow(/no fault or variant has "tokns" .*tokens/);
});

import { expect, test } from 'vitest';
import { ACCEPTED_INPUTS } from '../../../contracts/service/rules/inputs/accepted-inputs.ts';
import { RULES } from '../../../contracts/service/registry.ts';
import { ACCEPTED, RELATIONS } from './index.ts';

test('every documented input that is to be taken has requests, in the order of the rules', () => {
  expect(ACCEPTED.map(({ input }) => input.id)).toEqual(ACCEPTED_INPUTS.map(({ id }) => id));
});

test('every rule on marked pairs has its relation, each has one, and none is of no rule', () => {
  const rows = RELATIONS.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(new Set(rows).size).toBe(rows.length);
  const known = new Set(RULES.map(({ id }) => id));
  expect(rows.filter((id) => !known.has(id))).toEqual([]);
  const names = new Set(RELATIONS.map(({ name }) => name));
  const compared = RULES.filter(({ relation }) => relation !== undefined && names.has(relation));
  expect(compared.map(({ id }) => id).filter((id) => !rows.includes(id))).toEqual([]);
  expect(compared.length).toBeGreaterThan(20);
});

import { expect, test } from 'vitest';
import { loadedSchema } from './loaded-schema.testkit.ts';

test.each(['own', 'foreign'] as const)(
  'dependentSchemas say nothing of a list, not even of a member that lists have (%s)',
  (origin) => {
    const takes = loadedSchema(
      { unevaluatedItems: false, dependentSchemas: { length: { items: true } } },
      origin,
    );
    expect(takes([1])).toBe(false);
    expect(takes([])).toBe(true);
  },
);

import { expect, test } from 'vitest';
import { exchangeRule, runRule } from './own-rules.ts';

const WRITTEN = {
  ...{ id: 'ours.chains.short', protects: 'A list of chains is short.' },
  ...{ api: 'zap', operations: ['zap.chains'] },
} as const;
const USUAL = { level: 'must', answer: 'success', leastEvidence: 1, source: 'your own rule' };

test('a rule of your own need not state what is usual', () => {
  expect(exchangeRule({ ...WRITTEN, judge: () => [] })).toMatchObject({
    ...WRITTEN,
    ...USUAL,
    scope: 'exchange',
  });
  expect(runRule({ ...WRITTEN, collect: () => null, conclude: () => [] })).toMatchObject({
    ...WRITTEN,
    ...USUAL,
    scope: 'run',
  });
});

test('a rule of your own keeps what it states', () => {
  const stated = {
    level: 'observe',
    source: 'RFC 9110',
    answer: 'error',
    leastEvidence: 3,
  } as const;
  expect(exchangeRule({ ...WRITTEN, ...stated, judge: () => [] })).toMatchObject(stated);
  expect(runRule({ ...WRITTEN, ...stated, collect: () => null, conclude: () => [] })).toMatchObject(
    stated,
  );
});

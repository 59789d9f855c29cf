import { expect, test } from 'vitest';
import { keyedCredentialOf } from './keyed-credential.ts';

test('keyed APIs are asked with the key of the service, if the environment holds it', () => {
  const keyVariable = 'ASSAY_SECRET_LIBRARY';
  const secrets = { ASSAY_SECRET_LIBRARY: 'k', ASSAY_TRADE_KEY: 'another' };
  expect(keyedCredentialOf({ keyVariable }, secrets)).toEqual({ secret: keyVariable });
  expect(keyedCredentialOf({ keyVariable }, { ASSAY_TRADE_KEY: 'another' })).toBe('none');
  expect(keyedCredentialOf({}, secrets)).toBe('none');
});

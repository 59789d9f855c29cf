import { expect, test } from 'vitest';
import { unusedNodes } from './refused-target.ts';

test.each([
  [true, { ASSAY_RPC_1: 'https://a.example', ASSAY_RPC_10: 'https://b.example', PATH: '/' }, 1],
  [true, { ASSAY_RPC_1: '', ASSAY_RPC_x: 'https://a.example' }, 0],
  [false, { ASSAY_RPC_1: 'https://a.example' }, 0],
])('nodes of variables are not used by an embedded service (%s): %j', (isEmbedded, env, count) => {
  const said = unusedNodes(env, isEmbedded);
  expect(said).toHaveLength(count);
  if (count > 0) expect(said[0]).toMatch(/^ASSAY_RPC_1, ASSAY_RPC_10: not used, /);
  expect(said.join()).not.toContain('example');
});

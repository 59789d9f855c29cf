import { expect, test } from 'vitest';
import { DRIVEN } from './driving.ts';
import { LearnedWorld } from './session/world.ts';

function whyUnaskable(apis: readonly string[], changes: Partial<LearnedWorld>): string | undefined {
  const world = Object.assign(new LearnedWorld(), changes);
  return DRIVEN.unaskable?.({ apis: new Set(apis), world });
}

test('why no route could be asked for is what was missing when it was read, and names what is not known', () => {
  const listed = { isListed: true };
  const noChain = whyUnaskable(['zap', 'trade'], listed);
  expect(noChain).toContain('/v1/config/chains, the zap API listed no chain');
  expect(noChain).toContain('zap.quote, zap.build-tx, trade.build-tx');
  const noPool = whyUnaskable(['zap'], { ...listed, chainIds: [1] });
  expect(noPool).toContain('no list that the zap API served held one with two EVM tokens');
  expect(noPool).not.toContain('trade.build-tx');
  expect(whyUnaskable(['zap'], { chainIds: [1] })).toBeUndefined();
  expect(whyUnaskable(['trade'], {})).toContain('--zap-url');
});

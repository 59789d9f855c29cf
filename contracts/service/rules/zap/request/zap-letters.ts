import { sketchOf } from '../../readings/zap-route.ts';
import type { ZapRelationRow } from './zap-relation.ts';
import { zapRelation } from './zap-relation.ts';

/** What both rows compare: the actions, protocols and assets of two routes. */
const SAME_ROUTE = {
  ofRoute: sketchOf,
  weigh: (sketch: string) => 1 + sketch.length / 50,
  compare: (a: string, b: string) =>
    a === b ? [] : [{ pointer: '/data/path', expected: `the same route: ${a}`, actual: b }],
  refused: 'a success, as for the same addresses in other letters',
} as const;

export const letterCase: ZapRelationRow<string> = zapRelation({
  id: 'zap.addresses.any-letter-case',
  level: 'must',
  source: 'implied by §2.1, EIP-55 (no service)',
  protects: 'An address in lower case is served as one with a checksum is.',
  rulesOut: 'A service that finds tokens and pools by the letters that its lists are spelt in.',
  relation: 'letter-case',
  ...SAME_ROUTE,
});

// EIP-55: who writes all digits in capitals gives no checksum, as who writes none so.
export const capitals: ZapRelationRow<string> = zapRelation({
  id: 'zap.addresses.in-capitals',
  level: 'should',
  source: 'implied by §2.1, EIP-55',
  protects: 'An address in capital hex digits is served as one in small ones is.',
  rulesOut: 'A service that holds an address in capitals against its checksum.',
  relation: 'capitals',
  ...SAME_ROUTE,
});

import type { Judgement, Rule } from '../../../../judging/rule.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { chainOf, isNativeKey, isOtherNative, isPosition } from '../../readings/zap-entry.ts';
import type { Asked, Route, Step } from '../../readings/zap-route.ts';
import { amountOutFaults } from './amount-out.ts';
import { onRoute } from './zap-rule.ts';

function keysOf(entries: readonly Entry[]): string {
  return entries.map(({ key }) => key ?? 'an asset that cannot be read').join(', ') || 'nothing';
}

// Section 2.2: the path holds the ordered steps of the route, which 2.1 has begin at srcToken.
function firstInput({ steps }: Route, asked: Asked): Judgement {
  const { sourceKey } = asked;
  const first = steps.find(({ input }) => input.length > 0);
  if (first === undefined || sourceKey === undefined) return null;
  if (first.input.some(({ key }) => key === undefined)) return null;
  if (first.input.some(({ key }) => key === sourceKey)) return [];
  // That has a rule of its own.
  if (asked.fromNative && first.input.some(isOtherNative)) return null;
  const expected = `srcToken on srcChainId, ${sourceKey}`;
  const pointer = `/data/path/${first.index}/input`;
  return [{ pointer, expected, actual: keysOf(first.input) }];
}

function crosses({ input, output }: Step): boolean {
  const [from, to] = [input[0]?.key, output[0]?.key];
  return from !== undefined && to !== undefined && chainOf(from) !== chainOf(to);
}

// The route ends in destToken. What a deposit yields may be reported by another address than what it goes
// into, such as a position by that of its manager. It is on destChainId all the same.
function lastOutput({ steps }: Route, { destKey }: Asked): Judgement {
  const last = steps.findLast(({ output }) => output.length > 0);
  if (last === undefined || destKey === undefined) return null;
  const { output, action, index } = last;
  if (output.some(({ key }) => key === undefined)) return null;
  if (output.some(({ key }) => key === destKey)) return [];
  if (isNativeKey(destKey) && output.some(isOtherNative)) return null;
  const pointer = `/data/path/${index}/output`;
  const actual = keysOf(output);
  const chain = chainOf(destKey);
  if (output.every(({ key }) => key !== undefined && chainOf(key) !== chain)) {
    return [{ pointer, expected: `an asset on destChainId ${chain}`, actual }];
  }
  if ((action !== 'swap' && !crosses(last)) || output.some(isPosition)) return null;
  return [{ pointer, expected: `destToken on destChainId, ${destKey}`, actual }];
}

export const pathEndRules: readonly Rule[] = [
  onRoute({
    id: 'zap.path.starts-at-source',
    protects: 'The route starts with the token that is spent.',
    rulesOut:
      'A service that leaves the first step out, or begins with the wrapper of the native token: the request names another asset than the first step takes.',
    harm: 'loses money',
    judge: firstInput,
  }),
  onRoute({
    id: 'zap.path.ends-at-destination',
    protects: 'The route ends with the token, and on the chain, that was asked for.',
    rulesOut:
      'A service that leaves the last step out, or routes to another token or chain: the request names another asset than the last step yields.',
    harm: 'loses money',
    judge: lastOutput,
  }),
  onRoute({
    id: 'zap.amount-out.is-path-output',
    protects: 'The output amount is what the last step yields.',
    rulesOut:
      'A service that states what is guaranteed, what a step before the last one yields or what the last one takes: all of these differ from what it yields.',
    harm: 'loses money',
    judge: amountOutFaults,
  }),
];

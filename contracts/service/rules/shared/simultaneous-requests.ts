import type { Rule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { simultaneousRule, type Trait, traitOf } from '../../../rules/simultaneous.ts';
import { addressKey, isEvmAddress } from '../../../wire/addresses.ts';
import { BUILD, buildOf, evmTransactionOf } from '../readings/trade-build.ts';
import { ROUTED, routeOf } from '../readings/zap-route.ts';

/** Source, destination and amount of a route. */
function traitsOfZap(view: View): Trait[] {
  const route = routeOf(view);
  const [first, last] = [route?.steps[0], route?.steps.at(-1)];
  if (route?.asked === undefined || first === undefined || last === undefined) return [];
  const { sourceKey, destKey, amount } = route.asked;
  const amounts = first.input.map((entry) => entry.amountText);
  return [
    ...traitOf(
      'source',
      '/data/path/0/input',
      sourceKey,
      first.input.map(({ key }) => key),
    ),
    ...traitOf('amount', '/data/path/0/input', amount?.toString(), amounts),
    // Of several outputs one may be what is left over, in a token that the other asks for.
    ...(last.output.length === 1
      ? traitOf(
          'destination',
          '/data/path',
          destKey,
          last.output.map(({ key }) => key),
        )
      : []),
  ];
}

/** Pair and sender of a build. */
function traitsOfTrade(view: View): Trait[] {
  const build = buildOf(view);
  if (build?.asked?.size !== 1) return [];
  const [pair] = build.asked.keys();
  const from = evmTransactionOf(view.json)?.from;
  const { sender } = build.request;
  return [
    ...traitOf('pair', '/quotes', pair, build.quotes?.map(({ key }) => key) ?? []),
    ...(isEvmAddress(from) && isEvmAddress(sender)
      ? traitOf('sender', '/transaction/from', addressKey(sender), [addressKey(from)])
      : []),
  ];
}

// Sections 2.1 and 2.3: a request says what it wants, and section 1 that many clients are served. An
// answer with what a request of the same moment asked for, and not its own, is that one's.
export const zapSimultaneousRule: Rule = simultaneousRule(
  {
    id: 'zap.requests.answered-apart',
    source: 'implied by §2.1, §2.2 (loses money)',
    protects: 'Each of two clients that ask at the same moment gets the route that it asked for.',
    api: 'zap',
    operations: ROUTED,
  },
  traitsOfZap,
);

export const tradeSimultaneousRule: Rule = simultaneousRule(
  {
    id: 'trade.build-tx.answered-apart',
    source: 'implied by §2.3, §2.4 (loses money)',
    protects: 'Each of two clients that ask at the same moment gets the build that it asked for.',
    api: 'trade',
    operations: BUILD,
  },
  traitsOfTrade,
);

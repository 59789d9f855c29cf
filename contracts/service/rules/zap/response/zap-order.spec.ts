import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainFlow } from './zap-flow.ts';
import { orderOf, orderOfAny } from './zap-order.ts';
import { readRoute } from '../../readings/zap-route.ts';
import { answerOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

const SYMBOLS = ['DLR', 'EUR', 'WETH', 'LP'] as const;
const symbol = fc.constantFrom(...SYMBOLS);
const amount = fc.integer({ min: 0, max: 4 });

/** Steps of one input and one output, most of which take what the one before yields, or nearly. */
const chain = fc
  .array(fc.record({ to: symbol, amount, loss: amount, detour: fc.option(symbol, { freq: 6 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((hops) => fc.record({ hops: fc.constant(hops), dust: fc.array(fc.nat(hops.length - 1)) }));

test('the order of a chain is that which is found by following every asset', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(chain, ({ hops, dust }) => {
      let [held, from] = [5, 'DLR'] as [number, string];
      const steps = hops.map(({ to, amount: more, loss, detour }, at) => {
        const taken = Math.max(0, held + more - loss);
        const step = stepOf(`swap one: ${taken} ${detour ?? from} -> ${more + 3} ${to}`, {
          dust: dust.includes(at) ? [entryOf(`1 ${to}`)] : [],
        });
        [held, from] = [more + 3, to];
        return step;
      });
      const route = readRoute(answerOf('1', steps), requestOf('5 DLR to EUR'));
      const asked = route?.asked;
      if (route === null || asked?.sourceKey === undefined) throw new Error('it is a route');
      const any = route.steps.length < 2 ? null : orderOfAny(route, asked.sourceKey);
      expect(orderOf(route, asked)).toEqual(any);
      const isChain = chainFlow(route, asked) !== undefined;
      seen.add(`${isChain ? 'chain' : 'other'} ${any === null ? 'unlinked' : 'linked'}`);
    }),
    { numRuns: 600 },
  );
  expect([...seen].sort()).toEqual([
    'chain linked',
    'chain unlinked',
    'other linked',
    'other unlinked',
  ]);
});

import { describe, expect, test } from 'vitest';
import { PLAIN } from '../service/ask.ts';
import { senderOf } from './answers-in-order.testkit.ts';
import type { Ask } from './bucket.ts';
import { chooseAsk } from './choose-ask.ts';
import { stopAfter } from './stops.ts';

const SERVED: Ask = { ...PLAIN.trade, json: { data: [{}] } };

describe('the request to probe with', () => {
  test.each([
    ['is the plain one where it is served', [[200]], false, 1],
    [
      'is the plain one where refusals count',
      [
        [400, 9],
        [400, 8],
      ],
      false,
      2,
    ],
    ['is the plain one where that met the limit', [[400], [429]], false, 2],
    ['is one that is served where refusals may not count', [[400, 9], [400, 9], [200]], true, 3],
    ['is the plain one where no other is served', [[400], [400], [400]], false, 3],
    ['is the plain one where it is not let in', [[403]], false, 1],
  ] as const)('%s', async (_, answers, other, count) => {
    const { sender, asked } = senderOf(answers);
    const { ask, sent } = await chooseAsk(PLAIN.trade, sender, () => Promise.resolve(SERVED));
    expect(ask).toBe(other ? SERVED : PLAIN.trade);
    expect(asked).toHaveLength(count);
    expect(sent).toHaveLength(count);
  });

  test('is the plain one where the other is not found, which is no reason to stop', async () => {
    const { sender } = senderOf([[400], [400], [404]]);
    const { ask, sent } = await chooseAsk(PLAIN.trade, sender, () => Promise.resolve(SERVED));
    expect(ask).toBe(PLAIN.trade);
    expect(stopAfter(sent, 900)).toBeNull();
  });

  test('is the plain one where nothing is known to be served', async () => {
    const { sender, asked } = senderOf([[400], [400]]);
    const { ask } = await chooseAsk(PLAIN.trade, sender, () => Promise.resolve(undefined));
    expect(ask).toBe(PLAIN.trade);
    expect(asked).toHaveLength(2);
  });
});

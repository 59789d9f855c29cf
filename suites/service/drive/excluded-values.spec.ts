import { describe, expect, test } from 'vitest';
import { View } from '../../../contracts/judging/view.ts';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { senseOf } from '../../../contracts/service/rules/inputs/excluded-values.ts';
import {
  defectiveFieldOf,
  valueIn,
} from '../../../contracts/service/rules/inputs/request-fields.ts';
import type { ExcludedValue } from './excluded-values.ts';
import { excludedValues, leftOut, mistyped } from './excluded-values.ts';

const contract = await loadContract();
const address = '0x00112233445566778899aabbccddeeff00112233';

const entry = {
  ...{ amount: '100000000000000000000', srcToken: address, destToken: address },
  ...{ slippage: 0.37, toChain: 10, recipient: address },
};
const zap = {
  ...{ srcToken: address, srcChainId: 10, destToken: address, destChainId: 10 },
  ...{ recipient: address, slippage: 0.37, account: address, amount: '100000000' },
};
const trade = {
  ...{ fromChain: 10, sender: address, refundee: address, gasless: false },
  ...{ hasPermit2ApprovalForAllTokens: false, data: [entry] },
};

/** What the rules make of a request with a value in the place of another. */
function senseIn(api: 'zap' | 'trade', plain: object, sent: object, defect: string): string {
  const viewOf = (body: object): View => {
    const request = { method: 'POST', path: '/v1/buildTx', api, sent: body } as const;
    return new View(exchangeOf(request), contract);
  };
  const found = defectiveFieldOf(viewOf(sent), defect);
  if (found === undefined) return 'not known';
  return senseOf(found.row, found.value, valueIn(viewOf(plain), found.name));
}

const named = (values: readonly ExcludedValue[]): (readonly [string, ExcludedValue])[] =>
  values.map(
    (one) =>
      [
        `${one.defect}: ${one.value === undefined ? 'nothing' : JSON.stringify(one.value)}`,
        one,
      ] as const,
  );

describe('the rules have something to say of each request that is sent', () => {
  test.each(
    named([
      ...excludedValues('zap', zap),
      ...leftOut(Object.keys(zap).filter((name) => name !== 'amount')),
      ...mistyped(Object.keys(zap), zap),
    ]),
  )('zap, %s', (_, { defect, field, value }) => {
    expect(senseIn('zap', zap, { ...zap, [field]: value }, defect)).toMatch(/^(?:guess|exact)$/);
  });

  test.each(
    named([
      ...excludedValues('trade', trade),
      ...leftOut(Object.keys(trade)),
      ...mistyped(Object.keys(trade), trade),
    ]),
  )('trade, %s', (_, { defect, field, value }) => {
    const sent = { ...trade, [field]: value };
    expect(senseIn('trade', trade, sent, defect)).toMatch(/^(?:guess|exact)$/);
  });

  test.each(named(excludedValues('entry', entry, 'data.')))(
    'an entry of a trade, %s',
    (_, { defect, field, value }) => {
      const sent = { ...trade, data: [{ ...entry, [field]: value }] };
      expect(senseIn('trade', trade, sent, defect)).toMatch(/^(?:guess|exact)$/);
    },
  );
});

test('a number keeps all digits of the amount that it stands for', () => {
  const [number] = excludedValues('entry', entry, 'data.').filter(
    ({ field }) => field === 'amount',
  );
  expect(number?.defect).toBe('mistyped data.amount, a number');
  expect(JSON.stringify(number?.value)).toBe(entry.amount);
});

import { describe, expect, test } from 'vitest';
import { View } from '../../../contracts/judging/view.ts';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { senseOf } from '../../../contracts/service/rules/inputs/excluded-values.ts';
import {
  defectiveFieldOf,
  valueIn,
} from '../../../contracts/service/rules/inputs/request-fields.ts';
import { defectsOf } from '../../../fixtures/service/defects.ts';
import type { Defect } from '../../../fixtures/wrong/defect.ts';
import { requestOf } from '../../drive/wrong-request.ts';
import {
  ENTRY_VALUES,
  missingAnd,
  namesOf,
  TRADE_VALUES,
  ZAP_QUOTED,
  ZAP_VALUES,
} from './excluded-names.ts';

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

const right = {
  'zap.quote': requestOf(contract, 'zap.quote', zap),
  'zap.build-tx': requestOf(contract, 'zap.build-tx', zap),
  'trade.build-tx': requestOf(contract, 'trade.build-tx', trade),
};
type Operation = keyof typeof right;

function viewOf(id: Operation, text: string | undefined): View {
  const { api, method, path } = right[id];
  return new View(exchangeOf({ api, method, path, sent: JSON.parse(text ?? 'null') }), contract);
}

/** What the rules make of a request with a defect. */
function senseIn(id: Operation, { name, apply }: Defect): string {
  const found = defectiveFieldOf(viewOf(id, apply(right[id]).body), name);
  if (found === undefined) return 'not known';
  return senseOf(found.row, found.value, valueIn(viewOf(id, right[id].body), found.name));
}

function chosen(id: Operation, names: readonly string[]): [string, Operation, Defect][] {
  const defects = missingAnd(defectsOf(contract, id), names);
  return defects.map((defect) => [`${id}, ${defect.name}`, id, defect]);
}

describe('the rules have something to say of each request that is sent', () => {
  test.each([
    ...chosen('zap.quote', namesOf(ZAP_QUOTED, zap)),
    ...chosen('zap.build-tx', namesOf(ZAP_VALUES, zap)),
    ...chosen(
      'zap.build-tx',
      Object.keys(zap).map((field) => `mistyped ${field}, an object`),
    ),
    ...chosen('trade.build-tx', [
      ...namesOf(TRADE_VALUES, trade),
      ...namesOf(ENTRY_VALUES, entry, 'data.'),
      'mistyped sender, an object',
      'mistyped gasless, an object',
      'mistyped data, text',
    ]),
  ])('%s', (_, id, defect) => {
    expect(senseIn(id, defect)).toMatch(/^(?:guess|exact)$/);
  });
});

test('each required field is left out once', () => {
  const missing = (id: Operation): string[] => chosen(id, []).map(([, , { name }]) => name);
  const fields = (body: object): string[] => Object.keys(body).map((name) => `missing ${name}`);
  expect(missing('zap.quote').sort()).toEqual(
    fields({ ...zap, amount: undefined })
      .filter((name) => name !== 'missing amount')
      .sort(),
  );
  expect(missing('trade.build-tx').sort()).toEqual(fields(trade).sort());
});

test('a number keeps all digits of the amount that it stands for', () => {
  const [, , number] = chosen('trade.build-tx', ['mistyped data.amount, a number']).at(-1) ?? [];
  expect(number?.apply(right['trade.build-tx']).body).toContain(`"amount":${entry.amount},`);
});

test('what a request does not hold is not made wrong', () => {
  expect(namesOf(ZAP_VALUES, { account: address })).toEqual(['malformed account, a name']);
});

import { isObject, member, pointerStep } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import { isInDecimal, isQuantityOtherwise } from '../shared/gas.ts';
import { BUILD, buildOf, evmTransactionOf } from '../readings/trade-build.ts';
import { wholeBytes } from '../../../rules/whole-bytes.ts';

const FAR: readonly string[] = ['svmTxData', 'btcTxData'];

// Section 2.4: these are objects if there are any; null is of another type, which clients that
// check types refuse.
function nullObjects(view: View): readonly Broken[] | null {
  const build = buildOf(view);
  if (build === null) return null;
  const broken = new BrokenList();
  const places: (readonly [pointer: string, value: unknown])[] = FAR.map((name) => [
    `/${name}`,
    build.response[name],
  ]);
  for (const { id, summary } of build.quotes ?? []) {
    if (!isObject(summary)) continue;
    places.push([`/quotes${pointerStep(id)}/additionalInfo`, summary.additionalInfo]);
  }
  for (const [pointer, value] of places) {
    if (value !== null) continue;
    broken.add(() => ({ pointer, expected: 'an object, or nothing at all', actual: 'null' }));
  }
  const all = broken.all();
  return all.length > 0 || places.some(([, value]) => value === undefined) ? all : null;
}

// Section 2.4 says of data, txId and requestId that they are hex, of gasLimit that it is a string, as
// amounts are, which section 1, convention 2, has in decimal.
function otherGasLimit(view: View): readonly Broken[] | null {
  const gasLimit = evmTransactionOf(view.json)?.gasLimit;
  if (typeof gasLimit !== 'string') return null;
  if (isInDecimal(gasLimit)) return [];
  if (!isQuantityOtherwise(gasLimit)) return null;
  const pointer = '/transaction/gasLimit';
  return [{ pointer, expected: 'a decimal integer as a string', actual: view.raw(pointer) }];
}

const base = {
  level: 'should',
  api: 'trade',
  operations: BUILD,
  answer: 'success',
  leastEvidence: 1,
} as const;

export const tradeValueRules: readonly Rule[] = [
  exchangeRule({
    ...base,
    id: 'trade.build-tx.optional-objects',
    source: 'implied by §2.4',
    protects: 'An optional object that a build carries is an object.',
    rulesOut:
      'A service that writes null for what it has nothing to say of: an optional object is absent.',
    judge: nullObjects,
  }),
  exchangeRule({
    ...base,
    id: 'trade.transaction.gas-limit-in-decimal',
    source: 'implied by §1, §2.4',
    protects: 'The gas limit is written as all other numbers in strings are.',
    rulesOut: 'A service that hands on the hex of its node: the transaction has a gas limit.',
    judge: otherGasLimit,
  }),
  wholeBytes('trade.build-tx', 'implied by §2.4', (view) => [
    ['/txId', member(view.json, 'txId')],
    ...(buildOf(view)?.quotes ?? []).map(
      ({ id, summary }) =>
        [
          `/quotes${pointerStep(id)}/additionalInfo/requestId`,
          member(member(summary, 'additionalInfo'), 'requestId'),
        ] as const,
    ),
  ]),
];

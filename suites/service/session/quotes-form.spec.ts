import { expect, test } from 'vitest';
import { QuotesForm } from './quotes-form.ts';

const ASKED = { fromChain: 1, sender: '0xa', data: [{ amount: '1' }] };

test('other forms are tried in turn until one is served, which stays', () => {
  const form = new QuotesForm();
  const tried: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    tried.push(Object.keys(form.bodyOf(ASKED)).join());
    form.note(false);
  }
  expect(tried).toEqual([
    'fromChain,account,gasless,data',
    'data',
    'fromChain,data',
    'fromChain,sender,refundee,gasless,hasPermit2ApprovalForAllTokens,data',
    'fromChain,account,gasless,data',
  ]);
  form.note(true);
  form.note(false);
  expect(form.bodyOf(ASKED)).toEqual({ data: ASKED.data });
});

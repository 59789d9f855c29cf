/** Zap requests and routes for tests, each written in a line. */

const ADDRESSES: Readonly<Record<string, string>> = {
  DLR: '0x1000000000000000000000000000000000000001',
  EUR: '0x1000000000000000000000000000000000000002',
  WETH: '0x1000000000000000000000000000000000000003',
  LP: '0x2000000000000000000000000000000000000001',
  ETH: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  ZERO: '0x0000000000000000000000000000000000000000',
};

/** An asset by its symbol; one with `@10` behind it is on chain 10. */
export function assetOf(name: string, change: object = {}): Record<string, unknown> {
  const [symbol = '', chain = '1'] = name.split('@');
  return {
    address: ADDRESSES[symbol],
    chainId: Number(chain),
    decimals: 6,
    logo: 'https://icons.example/a.svg',
    price: '2',
    symbol,
    name: symbol,
    type: 'ERC20',
    ...change,
  };
}

/** An amount entry: `100 DLR`, or `100>99 DLR` with a minReturn of 99. */
export function entryOf(text: string, change: object = {}): Record<string, unknown> {
  const [, amount = '0', minReturn, name = ''] = /^(\d+)(?:>(\d+))? (.+)$/.exec(text) ?? [];
  const amountUSD = String((Number(amount) / 1e6) * 2);
  const guarantee = minReturn === undefined ? {} : { minReturn };
  return { amount, ...guarantee, amountUSD, asset: assetOf(name), ...change };
}

/** A path step: `swap one: 100 DLR -> 50>49 EUR`; several entries have commas between. */
export function stepOf(text: string, change: object = {}): Record<string, unknown> {
  const [head = '', body = ''] = text.split(': ');
  const [action, id] = head.split(' ');
  const [input = '', output = ''] = body.split(' -> ');
  const entries = (list: string): unknown[] =>
    list === '' ? [] : list.split(', ').map((entry) => entryOf(entry));
  return {
    action,
    protocol: { id, name: id, icon: 'https://icons.example/p.svg' },
    input: entries(input),
    output: entries(output),
    fee: [],
    estimatedDuration: 1,
    dust: [],
    ...change,
  };
}

/** A zap request: `100 DLR to EUR`, a slippage of 1 percent. */
export function requestOf(text: string, change: object = {}): Record<string, unknown> {
  const [source = '', destination = ''] = text.split(' to ');
  const [amount, name = ''] = source.split(' ');
  const [from, to] = [assetOf(name), assetOf(destination)];
  return {
    srcToken: from.address,
    srcChainId: from.chainId,
    destToken: to.address,
    destChainId: to.chainId,
    recipient: '0x4000000000000000000000000000000000000001',
    slippage: 1,
    account: '0x4000000000000000000000000000000000000001',
    amount,
    ...change,
  };
}

/** A successful answer with these steps. */
export function answerOf(
  amountOut: string,
  steps: readonly (string | object)[],
  change: object = {},
): Record<string, unknown> {
  const path = steps.map((step) => (typeof step === 'string' ? stepOf(step) : step));
  const approvalData = {
    callTo: ADDRESSES.DLR,
    approveTo: '0x3000000000000000000000000000000000000001',
    amount: '100',
  };
  return { status: 'success', data: { amountOut, approvalData, path, ...change } };
}

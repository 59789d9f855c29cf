import { expect, test } from 'vitest';
import type { Exchange } from '../../../wire/exchange.ts';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { loadContract } from '../../load-contract.ts';
import { planOf } from './plan.ts';
import { simulateRequest } from './requests.ts';
import { groupOf, SIMULATED } from './simulated-rules.ts';
import { createSimulations } from './simulation-rows.ts';
import type { Did } from './simulation.testkit.ts';
import {
  ACCOUNT,
  BUILD,
  DEST,
  HONEST,
  RECIPIENT,
  simulated,
  SOURCE,
} from './simulation.testkit.ts';
import { wordOfNumber } from './words.ts';

const contract = await loadContract();
type Rows = ReturnType<ReturnType<typeof createSimulations>['rows']>;

/** What is reported of builds of one request that a node of the service executed. */
function rowsOf(...dids: readonly Did[]): Rows {
  return rowsOfRequests(dids);
}

function rowsOfRequests(...requests: readonly (readonly Did[])[]): Rows {
  const reader = createSimulations({ zap: () => BUILD });
  for (const [request, dids] of requests.entries())
    for (const [index, did] of dids.entries())
      see(reader, did, groupOf(`simulated-${request + 1}`, index + 1));
  return reader.rows();
}

function see(reader: ReturnType<typeof createSimulations>, did: Did, group: string): void {
  const at = (role: string): Pick<Exchange, 'relations'> => ({
    relations: [{ kind: SIMULATED, group, role }],
  });
  const { results } = simulated(BUILD, 'strict simulate', did);
  const calls = results.map(({ succeeded, word = 0n }) => ({
    ...{ status: succeeded ? '0x1' : '0x0', returnData: `0x${wordOfNumber(word)}`, logs: [] },
  }));
  const request = {
    id: 1,
    ...simulateRequest(BUILD, planOf(BUILD, 'strict'), {}, { block: '0x1', spareCoins: 1n }),
  };
  reader.see({ ...exchangeOf({ id: 'x1' }), ...at('build') }, contract);
  const answered = { id: 1, result: [{ calls }] };
  const node = exchangeOf({ id: 'x2', api: 'rpc', method: 'POST', sent: request, answered });
  const asked = { ...node, request: { ...node.request, url: 'rpc-of-service:/1' } };
  reader.see({ ...asked, ...at('strict simulate') }, contract);
}

test('a build is reported with what changed, whose node it was, and its exchanges', () => {
  const [row, ...others] = rowsOf(HONEST);
  expect(others).toStrictEqual([]);
  expect(row).toMatchObject({ api: 'zap', chainId: 1, node: 'service', result: 'succeeded' });
  expect(row?.exchanges).toStrictEqual(['x1', 'x2']);
  expect(row?.changes).toStrictEqual([
    {
      ...{ who: 'account', holder: ACCOUNT, token: SOURCE, promised: 'at least -1000' },
      ...{ changed: '-1000', isKept: true },
    },
    {
      ...{ who: 'recipient', holder: RECIPIENT, token: DEST },
      ...{ promised: 'at least +450, quoted +500', changed: '+500', isKept: true },
    },
  ]);
});

test('what the account got in place of the recipient is reported beside', () => {
  const grew = { ...HONEST.grew, [`${DEST} ${RECIPIENT}`]: 0n, [`${DEST} ${ACCOUNT}`]: 500n };
  const changes = rowsOf({ ...HONEST, grew })[0]?.changes ?? [];
  expect(changes.map(({ who, changed, isKept }) => [who, changed, isKept])).toStrictEqual([
    ['account', '-1000', true],
    ['recipient', '0', false],
    ['account', '+500', false],
  ]);
});

test('a build whose break no other of its request shows is marked, and does not count', () => {
  const grew = { ...HONEST.grew, [`${DEST} ${RECIPIENT}`]: 0n };
  const wrong = { ...HONEST, grew };
  const marks = (...dids: Did[]) => rowsOf(...dids).map(({ isDismissed }) => isDismissed);
  expect(marks(wrong, HONEST, HONEST)).toStrictEqual([true, undefined, undefined]);
  expect(marks(wrong, HONEST, wrong)).toStrictEqual([undefined, undefined, undefined]);
});

test('a build that succeeds and pays too little counts if one of another request does so, too', () => {
  const grew = { ...HONEST.grew, [`${DEST} ${RECIPIENT}`]: 0n };
  const wrong = { ...HONEST, grew };
  const rows = rowsOfRequests([wrong, HONEST, HONEST], [HONEST], [HONEST, wrong, HONEST]);
  expect(rows.map(({ isDismissed }) => isDismissed)).toStrictEqual(Array(7).fill(undefined));
});

test('a build that fails in one way of executing it is not reported as one that fails', () => {
  expect(rowsOf({ fails: true })[0]).toMatchObject({
    result: 'not known',
    why: 'it reverts',
  });
});

import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../../contracts/judging/no-contract.testkit.ts';
import { BudgetExceeded } from '../../target/budget/governor.ts';
import type { ExchangeListener } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { drive } from './index.ts';

/** A session that sends some requests, and has no time for more. */
function outOfTime(requests: number): Session {
  const listeners: ExchangeListener[] = [];
  const run = (): Promise<void> => {
    for (let at = 0; at < requests; at += 1) {
      const exchange = exchangeOf({ id: `x${at}`, purpose: { kind: 'unknown' } });
      const request = { api: 'zap', method: 'GET', path: '/', purpose: exchange.purpose } as const;
      for (const listener of listeners) listener(exchange, request);
    }
    return Promise.reject(new BudgetExceeded('seconds', 60, true));
  };
  const session: Pick<Session, 'apis' | 'progress'> &
    Record<'service' | 'client' | 'contract', object> = {
    contract: NO_CONTRACT,
    apis: new Set(['zap']),
    progress: () => undefined,
    service: {
      stagesOf: () => [{ name: 'pools', api: 'zap', run }],
      usualRequests: 500,
      rules: { validRequests: {} },
    },
    client: {
      listen: (listener: ExchangeListener) => listeners.push(listener) && (() => undefined),
    },
  };
  return session as unknown as Session;
}

test('a drive that ran out of time says how much a whole one takes', async () => {
  const { notices, cutShort } = await drive(outOfTime(250));
  expect(cutShort).toBe(true);
  expect(notices.join()).toContain('It allowed 250 requests; a whole drive sends about 500');
  expect(notices.join()).toContain('--max-seconds 120 is enough');
});

test('a drive through what was driven through before is no measure of that', async () => {
  const { notices } = await drive(outOfTime(250), true);
  expect(notices).toEqual([
    "the budget of 60 seconds is used up, with what judging the record takes. --max-seconds allows more, if the target's owner agrees. The rest of a further round was left out, from: pools.",
  ]);
});

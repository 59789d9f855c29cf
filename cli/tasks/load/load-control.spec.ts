import { expect, test } from 'vitest';
import { outgoingOf } from '../../../target/transport/outgoing.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import type { PreparedRequest } from '../../../load/engines/engine.ts';
import { hold, scenario } from '../../../load/scenarios/scenario.testkit.ts';
import { controlOf } from './load-control.ts';

const BUILD: PreparedRequest = {
  operation: 'trade.build-tx',
  request: {
    ...{ api: 'trade', method: 'POST', path: '/v1/build?x=1', json: { amount: '5' } },
    headers: [['X-Team', 'us']],
    credential: { secret: 'ASSAY_TRADE_KEY' },
    sourceAddress: '192.0.2.7',
    purpose: { kind: 'valid' },
  },
};

test('the control is asked the same, without what is meant for the target alone', () => {
  const made = scenario({ steps: [hold(5, 2)], clients: { kind: 'keys', count: 2 } });
  const control = controlOf('http://127.0.0.1:1234', {
    ...{ scenario: made, requests: [BUILD], choose: () => BUILD },
    ...{ timeoutMs: 1000, maxBodyBytes: 2000 },
  });
  const chosen = control.choose(3);
  expect(control.requests).toEqual([chosen]);
  expect(control.choose(4)).toBe(chosen);
  // Two clients with keys would need keys.
  expect(control.engine.cannot(control.scenario)).toBeUndefined();
  expect(control.scenario.steps).toEqual(made.steps);
  const sent = outgoingOf(chosen.request, {
    config: { controlUrl: 'http://127.0.0.1:1234', timeoutMs: 1000, maxBodyBytes: 2000 },
    redactor: createRedactor({}),
  });
  expect(sent).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:1234/v1/build?x=1' });
  expect(String(sent.body)).toBe('{"amount":"5"}');
  expect(sent.sourceAddress).toBeUndefined();
  expect(JSON.stringify(sent.headers)).not.toMatch(/authorization|x-team/i);
});

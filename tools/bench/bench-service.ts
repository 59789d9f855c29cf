import { parentPort } from 'node:worker_threads';
import { listen } from '../../fixtures/service/reference/listen.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';

/** The reference service on a thread of its own, without limits; reports its URLs. */
const listening = await listen({
  ...REFERENCE_DEFAULTS,
  limits: { zap: null, trade: null, tradeKey: null },
  seed: 1,
  environment: systemEnvironment(),
  host: '127.0.0.1',
  portBase: 0,
  singlePort: false,
});
parentPort?.on('message', () => void listening.close());
parentPort?.postMessage(listening.urls);

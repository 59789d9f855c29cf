import type { ListenOptions } from '../../fixtures/service/reference/listen.ts';
import { parseLimit } from '../../fixtures/service/reference/limits.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import { SECOND_TRADE_KEY, type Secrets, TRADE_KEY } from '../../target/config/secrets.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';

/** A key of the embedded service; no secret. */
export const EMBEDDED_KEY = 'embedded-reference-key';

/** The embedded service with small limits, and the keys of the environment or one of its own. */
export function embedded(secrets: Secrets): ListenOptions {
  const keys = [TRADE_KEY, SECOND_TRADE_KEY].flatMap((name) => secrets[name] ?? []);
  return {
    ...REFERENCE_DEFAULTS,
    seed: 1,
    environment: systemEnvironment(),
    portBase: 0,
    singlePort: false,
    limits: {
      zap: parseLimit('fixed-window:limit=20,window=1s'),
      trade: parseLimit('token-bucket:burst=6,refill=6/s'),
      tradeKey: parseLimit('sliding-log:limit=15,window=1s'),
    },
    apiKeys: keys.length > 0 ? keys : [EMBEDDED_KEY],
  };
}

import type { LoadConnections } from '../../contracts/run/load/load-run.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** Counts the connections that an engine makes, and how long each took. */
export class ConnectionsMade {
  readonly #connecting = LatencyHistogram.create(2);
  readonly #tls = LatencyHistogram.create(2);

  readonly add = (times: { readonly connectingMs: number; readonly tlsMs?: number }): void => {
    this.#connecting.record(times.connectingMs);
    if (times.tlsMs !== undefined) this.#tls.record(times.tlsMs);
  };

  facts(): LoadConnections {
    const [connecting, tls] = [this.#connecting.summary(), this.#tls.summary()];
    return {
      opened: connecting.count,
      ...(connecting.count === 0 ? {} : { connecting }),
      ...(tls.count === 0 ? {} : { tls }),
    };
  }
}

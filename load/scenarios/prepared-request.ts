import type { ClientRequest } from '../../target/transport/client.ts';

/** One request of the mix, made before the clock starts. */
export interface PreparedRequest {
  /** The operation that it addresses, e.g. `zap.quote`. */
  readonly operation: string;
  readonly request: ClientRequest;
}

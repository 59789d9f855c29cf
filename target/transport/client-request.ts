import type { ApiName, HeaderList, Purpose, Relation } from '../../contracts/wire/exchange.ts';
import type { KeyChange } from '../config/key-change.ts';
import type { Secrets } from '../config/secrets.ts';

/**
 * What a request authenticates with: a secret by its name, a key that is like a secret, or a bearer
 * value. A `public` one was made up by the driver and may stand in records as it is.
 */
export type Credential =
  | 'none'
  | { readonly secret: string }
  /** Kept out of records as the secret is. */
  | { readonly like: string; readonly change: KeyChange }
  | { readonly bearer: string; readonly public?: boolean };

/** The variable whose secret a credential is, or is like; undefined if it is of none. */
export function keyNameOf(credential: Credential): string | undefined {
  if (credential === 'none') return undefined;
  return 'secret' in credential
    ? credential.secret
    : 'like' in credential
      ? credential.like
      : undefined;
}

/** One request to be made. */
export interface ClientRequest {
  readonly api: ApiName;
  readonly method: string;
  /** Path and query below the base URL of the API, beginning with a slash; sent as spelt. */
  readonly path: string;
  /** Replace the client's own fields of the same name. */
  readonly headers?: HeaderList;
  /** The body as JSON, with its Content-Type. */
  readonly json?: unknown;
  /** The body as it is, without a Content-Type; not together with `json`. */
  readonly rawBody?: string | Uint8Array;
  /** Default `none`. */
  readonly credential?: Credential;
  /** How often it is sent in all while it is throttled; default that of the client. */
  readonly attempts?: number;
  readonly purpose: Purpose;
  readonly relations?: readonly Relation[];
  /** Local address to send from; default that of the configuration. */
  readonly sourceAddress?: string;
  /**
   * Credentials in the parsed JSON of a 2xx answer, by the name that is to stand for each in records,
   * as far as they could be nothing else (`Redactor.learn`); given if a request is about them.
   * Called before anything is recorded, so that a credential claimed in a run never reaches a file.
   * Errors give none: to hide what they say would be to change it.
   */
  readonly secretsIn?: (json: unknown) => Secrets;
}

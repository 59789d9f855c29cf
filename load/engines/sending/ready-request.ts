import type { HeaderList, RecordedRequest } from '../../../contracts/wire/exchange.ts';
import { splitUrl } from '../../../target/transport/agents.ts';
import { bodyOf } from '../../../target/body/body.ts';
import type { ClientRequest } from '../../../target/transport/client.ts';
import { withFreshKeys } from '../../../target/config/fresh-keys.ts';
import { outgoingOf, type OutgoingOptions } from '../../../target/transport/outgoing.ts';
import type { RedactedSending } from '../../../target/redaction/redactor.ts';
import type { OutgoingRequest } from '../../../target/transport/transport.ts';
import type { PreparedRequest } from '../engine.ts';

/** A request with all that can be made of it before the clock starts. */
export interface ReadyRequest {
  readonly prepared: PreparedRequest;
  readonly outgoing: OutgoingRequest;
  readonly origin: string;
  /** Path and query as they go on the wire. */
  readonly path: string;
  /** Names and values in turn, as undici takes them. */
  readonly fields: string[];
  /** As it may stand in records, with what redacts its outcomes; made when first asked for. */
  redacted(): RedactedSending;
}

/** Makes requests ready, each once for each client that sends something else. */
export class ReadyRequests {
  readonly #options: OutgoingOptions;
  readonly #keyNames: readonly string[];
  readonly #fields: HeaderList;
  readonly #ready = new Map<PreparedRequest, Kept[]>();

  /**
   * @param keyNames names of the secrets with which clients authenticate, one client each in turn; none
   *   where all send what the requests say
   * @param fields by which the target distinguishes clients, one client each in turn
   */
  constructor(options: OutgoingOptions, keyNames: readonly string[], fields: HeaderList = []) {
    this.#options = options;
    this.#keyNames = keyNames;
    this.#fields = fields;
  }

  /**
   * The request as a client sends it. One with an Idempotency-Key gets a key of its own whenever it is
   * sent; two requests that share a key share it each time, so that a replay stays one.
   *
   * @throws {ApiNotConfigured | CredentialMissing | CredentialUnchangeable} as the client does
   */
  of(prepared: PreparedRequest, client: number): ReadyRequest {
    const variant = client % Math.max(1, this.#keyNames.length, this.#fields.length);
    let kept = this.#ready.get(prepared);
    if (kept === undefined) this.#ready.set(prepared, (kept = []));
    const found = (kept[variant] ??= this.#make(prepared, variant));
    if (!found.hasKey) return found.ready;
    found.sent += 1;
    return found.sent === 1 ? found.ready : this.#withFreshKey(found.ready, found.sent);
  }

  #make(prepared: PreparedRequest, variant: number): Kept {
    const plain = outgoingOf(
      authenticated(prepared.request, this.#keyNames[variant]),
      this.#options,
    );
    const field = this.#fields[variant];
    const outgoing = field === undefined ? plain : { ...plain, headers: [...plain.headers, field] };
    const ready = this.#readyOf(prepared, outgoing);
    const fresh = withFreshKeys(outgoing.headers, '');
    return { ready, hasKey: fresh !== outgoing.headers, sent: 0 };
  }

  #withFreshKey({ prepared, outgoing }: ReadyRequest, time: number): ReadyRequest {
    const headers = withFreshKeys(outgoing.headers, `${this.#options.run ?? ''}/${time}`);
    return this.#readyOf(prepared, { ...outgoing, headers });
  }

  #readyOf(prepared: PreparedRequest, outgoing: OutgoingRequest): ReadyRequest {
    const { redactor } = this.#options;
    const { request } = prepared;
    let redacted: RedactedSending | undefined;
    return {
      prepared,
      outgoing,
      ...splitUrl(outgoing.url),
      fields: flat(outgoing.headers),
      redacted: () =>
        (redacted ??= redactor.sending({
          api: request.api,
          purpose: request.purpose,
          relations: request.relations ?? [],
          request: recordedOf(outgoing, request.path),
        })),
    };
  }
}

interface Kept {
  readonly ready: ReadyRequest;
  readonly hasKey: boolean;
  sent: number;
}

/** The request of a client that has a key; what needs no credential is sent without. */
function authenticated(request: ClientRequest, keyName: string | undefined): ClientRequest {
  if (keyName === undefined || (request.credential ?? 'none') === 'none') return request;
  return { ...request, credential: { secret: keyName } };
}

function recordedOf(outgoing: OutgoingRequest, path: string): RecordedRequest {
  const { method, url, headers, body } = outgoing;
  return { method, url, path, headers, body: body === null ? null : bodyOf(body) };
}

function flat(headers: HeaderList): string[] {
  return headers.flatMap(([name, value]) => [name, value]);
}

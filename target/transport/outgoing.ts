import { CONTRACT_PROBE } from '../../contracts/judging/contract-probe.ts';
import { headerOf } from '../../contracts/wire/exchange.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { type ClientRequest, type Credential, keyNameOf } from './client-request.ts';
import {
  type ApiUrlKey,
  baseUrlOf,
  type TargetConfig,
  urlVariableOf,
} from '../config/config-types.ts';
import { withFreshKeys } from '../config/fresh-keys.ts';
import { changedKey, type KeyChange } from '../config/key-change.ts';
import { apiOfKey } from '../config/secrets.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { leadsOut } from './sendable.ts';
import type { OutgoingRequest } from './transport.ts';

/** Thrown when a request names an API that the target's configuration gives no base URL for. */
export class ApiNotConfigured extends Error {
  override readonly name = 'ApiNotConfigured';
  readonly api: ApiName;

  constructor(api: ApiName) {
    super(`the ${api} API has no base URL. Give it with --${api}-url or ${urlVariableOf(api)}.`);
    this.api = api;
  }
}

/** Thrown when a request needs a credential that the environment does not hold. */
export class CredentialMissing extends Error {
  override readonly name = 'CredentialMissing';

  constructor(name: string) {
    super(`the request needs the secret ${name}, which is not set. Set it in the environment.`);
  }
}

/** Thrown when a secret cannot be changed so that it becomes another key. */
export class CredentialUnchangeable extends Error {
  override readonly name = 'CredentialUnchangeable';

  constructor(name: string, change: KeyChange) {
    super(`the secret ${name} cannot be ${change}, so that it is another key.`);
  }
}

/**
 * Thrown when a request carries the key of another API. Who writes requests leaves such keys out before: this is
 * the last door, which all pass.
 */
class CredentialOfAnotherApi extends Error {
  override readonly name = 'CredentialOfAnotherApi';

  constructor(name: string, api: ApiName) {
    super(
      `${name} is sent to the ${apiOfKey(name) ?? ''} API alone, and the request is for ${api}.`,
    );
  }
}

/** What turns a request into what is sent. */
export interface OutgoingOptions {
  readonly config: Pick<TargetConfig, ApiUrlKey | 'timeoutMs' | 'maxBodyBytes' | 'sourceIp'> &
    Partial<Pick<TargetConfig, 'headers'>>;
  /** Holds the credentials. */
  readonly redactor: Redactor;
  /** Version of Assay, for the User-Agent. */
  readonly version?: string;
  /** Distinguishes this run from others, so that its Idempotency-Keys are its own; as given when absent. */
  readonly run?: string;
}

/** Name that stands for bearer values given to a request that are not public. */
const BEARER_NAME = 'ASSAY_BEARER';

/**
 * A request as it goes out: base URL, the client's own fields, credentials, fields of the user. One whose path may lead
 * to another API carries no credential.
 *
 * @throws {ApiNotConfigured} when the target has no such API
 * @throws {CredentialMissing} when the environment does not hold a credential
 * @throws {CredentialUnchangeable} when no other key can be made of one
 * @throws {CredentialOfAnotherApi} when it is for another API than its key
 */
export function outgoingOf(
  request: ClientRequest,
  { config, redactor, version, run }: OutgoingOptions,
): OutgoingRequest {
  const { credential: asked = 'none' } = request;
  refuseKeyOfAnother(asked, request.api);
  // Behind one host the path may be that of another API, which gets no key of this one.
  const isElsewhere = leadsOut(request.path);
  const credential = isElsewhere ? 'none' : asked;
  const base = baseUrlOf(config, request.api);
  if (base === undefined) throw new ApiNotConfigured(request.api);
  if (!request.path.startsWith('/')) {
    throw new TypeError(`a path begins with a slash, this does not: ${request.path}`);
  }
  if (request.json !== undefined && request.rawBody !== undefined) {
    throw new TypeError('a request has a json body or a raw body, not both');
  }
  const text = request.json === undefined ? request.rawBody : JSON.stringify(request.json);
  const own: [string, string][] = [
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'gzip, br'],
    ['User-Agent', version === undefined ? 'assay' : `assay/${version}`],
  ];
  if (request.json !== undefined) own.push(['Content-Type', 'application/json']);
  const bearer = bearerOf(credential, redactor);
  if (bearer !== undefined) own.push(['Authorization', `Bearer ${bearer}`]);
  const written = request.headers ?? [];
  const all = run === undefined ? written : withFreshKeys(written, run);
  for (const { api, name, value } of config.headers ?? []) {
    if (api !== undefined && (api !== request.api || isElsewhere)) continue;
    const at = own.findIndex(([other]) => other.toLowerCase() === name.toLowerCase());
    const field: [string, string] = [name, headerValue(value, redactor)];
    if (at < 0) own.push(field);
    else if (CHOSEN.includes(name.toLowerCase())) own[at] = field;
  }
  // What a request is about comes before what the user says of all of them, and what was made up after it.
  const isMadeUp = isMadeFromContract(request.purpose);
  const isOfUser = (name: string): boolean =>
    config.headers?.some((field) => isSame(field, name, request.api)) === true;
  const given = isMadeUp ? all.filter(([name]) => !isOfUser(name)) : all;
  const sourceAddress = request.sourceAddress ?? config.sourceIp;
  return {
    method: request.method,
    url: base + request.path,
    headers: [...own.filter(([name]) => headerOf(given, name) === undefined), ...given],
    body: text === undefined ? null : typeof text === 'string' ? Buffer.from(text) : text,
    timeoutMs: config.timeoutMs,
    maxBodyBytes: config.maxBodyBytes,
    ...(sourceAddress === undefined ? {} : { sourceAddress }),
  };
}

/** Fields of the client's own that the user may say otherwise. */
const CHOSEN: readonly string[] = ['accept', 'user-agent'];

function isMadeFromContract(purpose: ClientRequest['purpose']): boolean {
  return purpose.kind === 'probe' && purpose.about.startsWith(CONTRACT_PROBE);
}

function isSame(
  field: { readonly api?: ApiName; readonly name: string },
  name: string,
  api: ApiName,
): boolean {
  return (
    (field.api === undefined || field.api === api) &&
    field.name.toLowerCase() === name.toLowerCase()
  );
}

/** The value of a field of the user; of a secret, what the environment holds. */
function headerValue(value: string, redactor: Redactor): string {
  if (!value.startsWith('$')) return value;
  const secret = redactor.reveal(value.slice(1));
  if (secret === undefined) throw new CredentialMissing(value.slice(1));
  return secret;
}

function refuseKeyOfAnother(credential: Credential, api: ApiName): void {
  const name = keyNameOf(credential);
  const own = name === undefined ? undefined : apiOfKey(name);
  if (name !== undefined && own !== undefined && own !== api)
    throw new CredentialOfAnotherApi(name, api);
}

function bearerOf(credential: Credential, redactor: Redactor): string | undefined {
  if (credential === 'none') return undefined;
  if ('secret' in credential) {
    const { secret: name } = credential;
    const value = redactor.reveal(name);
    if (value === undefined) throw new CredentialMissing(name);
    return value;
  }
  if ('like' in credential) return likeSecret(credential.like, credential.change, redactor);
  if (credential.public === true) redactor.markPublic(credential.bearer);
  else redactor.add(BEARER_NAME, credential.bearer);
  return credential.bearer;
}

function likeSecret(name: string, change: KeyChange, redactor: Redactor): string {
  const value = redactor.reveal(name);
  if (value === undefined) throw new CredentialMissing(name);
  const changed = changedKey(value, change);
  if (changed === undefined) throw new CredentialUnchangeable(name, change);
  redactor.addLike(name, `${name}_${change.toUpperCase().replace('-', '_')}`, changed);
  return changed;
}

import { timesToHold } from '../../../contracts/judging/chance/times-to-hold.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isObject } from '../../../contracts/wire/json.ts';
import type { FindingThen, Rate } from '../../../contracts/run/run.ts';
import { parseJson } from '../../../contracts/wire/parse-json.ts';
import { type Credential, keyNameOf } from '../../../target/transport/client-request.ts';
import type { KeyChange } from '../../../target/config/key-change.ts';
import { apiOfKey, SECOND_TRADE_KEY, TRADE_KEY } from '../../../target/config/secrets.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { bodyTextOf } from '../../drive/tried-request.ts';
import type { Reproducer, Shown } from '../reproducer.ts';
import { keptRequestsIn, purposeAsItWas } from './kept-requests.ts';

/** What begins a replay that holds its requests itself. */
export const REQUESTS = 'requests:';

/** Longer words are no line that anybody would paste. */
export const MAX_WORD_CHARACTERS = 6_000;
/** More is not inflated, whatever a word says. */
const MAX_BYTES = 1_048_576;
/** More of what was found then is not kept. */
const MAX_THEN_CHARACTERS = 240;

/** The requests that showed a finding, and what it said then. */
export interface KeptReproducer {
  readonly then?: FindingThen;
  readonly reproducer: Reproducer;
}

/**
 * A reproducer as one word of a command line: `requests:` and its JSON, deflated (RFC 1951), in base64url
 * (RFC 4648 section 5). Undefined if one cannot be written so: a body of bytes, a credential that
 * was claimed in its run, or too much of it.
 *
 * @param isWithoutSecrets whether a text may stand in a report, no secret being in it
 */
export function wordOf(
  { then, reproducer }: KeptReproducer,
  isWithoutSecrets: (text: string) => boolean,
): string | undefined {
  const requests = reproducer.map(writtenOf);
  if (requests.includes(undefined)) return undefined;
  const text = JSON.stringify({ ...(then === undefined ? {} : { then: cutThen(then) }), requests });
  if (!isWithoutSecrets(text)) return undefined;
  const word = REQUESTS + deflateRawSync(text, { level: 9 }).toString('base64url');
  return word.length <= MAX_WORD_CHARACTERS ? word : undefined;
}

/**
 * Reads such a word, of whoever wrote it: the requests can be sent, to the APIs of the target alone.
 *
 * @returns the reproducer, or why there is none, as a clause
 */
export function reproducerIn(word: string): KeptReproducer | string {
  const encoded = word.slice(REQUESTS.length);
  if (word.length > MAX_WORD_CHARACTERS || !/^[A-Za-z0-9_-]+$/.test(encoded)) return CUT;
  let text: string;
  try {
    const bytes = Buffer.from(encoded, 'base64url');
    text = inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    return CUT;
  }
  const parsed = parseJson(text);
  if (parsed.kind !== 'json' || !isObject(parsed.value)) return CUT;
  const { then, requests: given } = parsed.value;
  const requests = keptRequestsIn(given, purposeAsItWas);
  if (requests === undefined) return CUT;
  if (typeof requests === 'string') return requests;
  const credentials = Array.isArray(given) ? given.map(credentialIn) : [];
  const misplaced = requests.findIndex(({ request: { api } }, at) => {
    const own = apiOfKey(keyNameOf(credentials[at] ?? 'none') ?? '');
    return own !== undefined && own !== api;
  });
  if (misplaced >= 0) return keyOfAnother(requests[misplaced]?.request.api ?? '');
  const reproducer = requests.map(({ request, role, group, kind }, at): Shown => {
    const { body, ...asked } = request;
    const tried: TriedRequest = {
      ...asked,
      ...(body === undefined ? {} : { rawBody: body }),
      credential: credentials[at] ?? 'none',
    };
    return {
      request: tried,
      ...(role === undefined ? {} : { role }),
      ...(group === undefined ? {} : { group }),
      ...(kind === undefined ? {} : { kind }),
    };
  });
  const reported = thenIn(then);
  return reported === undefined ? { reproducer } : { then: reported, reproducer };
}

function keyOfAnother(api: string): string {
  return `one of its requests is for ${api}, with the key of another API, which is sent to that API alone`;
}

const CUT = 'it holds no requests; was the line cut off?';

/** Plain data of a request, to the byte; undefined if there is none. */
function writtenOf({ request, role, group, kind }: Shown): object | undefined {
  const { api, method, path, purpose, json, rawBody, credential = 'none' } = request;
  if (rawBody instanceof Uint8Array || !isWritable(credential)) return undefined;
  const body = bodyTextOf(request);
  const own = request.headers ?? [];
  const isTyped = own.some(([name]) => name.toLowerCase() === 'content-type');
  const headers =
    json === undefined || isTyped ? own : [...own, ['Content-Type', 'application/json']];
  return {
    request: {
      ...{ api, method, path, purpose },
      ...(headers.length === 0 ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    },
    ...(role === undefined ? {} : { role }),
    ...(group === undefined ? {} : { group }),
    ...(kind === undefined ? {} : { kind }),
    ...(credential === 'none' ? {} : { credential }),
  };
}

/** Keys by name, and such as the driver made up: nothing that is a secret itself. */
function isWritable(credential: Credential): boolean {
  return credentialIn({ credential }) !== undefined;
}

/** How words of earlier versions name the first key. */
const OF_BEFORE = 'trade-key';
const NAMES: readonly unknown[] = [TRADE_KEY, SECOND_TRADE_KEY];
const CHANGES: readonly KeyChange[] = ['extended', 'shortened', 'other-case'];
/** A bearer as a header field may hold it (RFC 6750 section 2.1). */
const BEARER = /^[A-Za-z0-9._~+/=-]{1,200}$/;

/** What a request authenticates with; undefined if that is nothing that may be written. */
function credentialIn(json: unknown): Credential | undefined {
  const given = isObject(json) ? (json.credential ?? 'none') : 'none';
  if (given === 'none') return given;
  if (given === OF_BEFORE) return { secret: TRADE_KEY };
  if (!isObject(given)) return undefined;
  const { secret, like, change, bearer } = given;
  const known = CHANGES.find((one) => one === change);
  if (typeof secret === 'string' && NAMES.includes(secret)) return { secret };
  if (typeof like === 'string' && NAMES.includes(like) && known !== undefined) {
    return { like, change: known };
  }
  const isPublic = given.public === true && typeof bearer === 'string' && BEARER.test(bearer);
  return isPublic ? { bearer, public: true } : undefined;
}

function cutThen({ pointer, expected, actual, ...more }: FindingThen): FindingThen {
  return { ...more, pointer: cut(pointer), expected: cut(expected), actual: cut(actual) };
}

function cut(text: string): string {
  return text.length > MAX_THEN_CHARACTERS ? `${text.slice(0, MAX_THEN_CHARACTERS - 1)}…` : text;
}

function thenIn(json: unknown): FindingThen | undefined {
  if (!isObject(json)) return undefined;
  const { pointer, expected, actual, rate, isFailed } = json;
  const known = rateIn(rate);
  const more = {
    ...(known === undefined ? {} : { rate: known }),
    ...(isFailed === true ? { isFailed: true as const } : {}),
  };
  if (typeof pointer !== 'string' || typeof expected !== 'string') return undefined;
  return typeof actual === 'string' ? cutThen({ ...more, pointer, expected, actual }) : undefined;
}

/** How often a rule held since, as somebody wrote it down; 0 of what no run writes: more than the rate asks for. */
export function heldOf(held: unknown, rate: Rate): number {
  const isCount = Number.isSafeInteger(held) && Number(held) > 0;
  return isCount && Number(held) <= timesToHold(rate) ? Number(held) : 0;
}

/** How often a finding showed, as somebody wrote it down; undefined if it is no rate. */
export function rateIn(json: unknown): Rate | undefined {
  if (!isObject(json)) return undefined;
  const { broken, judged } = json;
  const areCounts = [broken, judged].every((one) => Number.isSafeInteger(one) && Number(one) > 0);
  if (!areCounts || Number(broken) > Number(judged)) return undefined;
  return { broken: Number(broken), judged: Number(judged) };
}

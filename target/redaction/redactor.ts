/** Long because it is one closure, and all its functions know the same secrets. */

import {
  headerOf,
  type Body,
  type Exchange,
  type HeaderList,
  type Outcome,
  type Purpose,
} from '../../contracts/wire/exchange.ts';
import { bodyOf, bytesOf } from '../body/body.ts';
import type { LearnedSecret, Reach } from './learned-secrets.ts';
import { LearnedSecrets, reachOf } from './learned-secrets.ts';
import type { Place } from './redaction.ts';
import { Redaction } from './redaction.ts';
import { SeenWords } from './seen-words.ts';
import type { Secrets } from '../config/secrets.ts';
import { MAX_SECRET, SecretUnfit } from '../secrets/unfit-secret.ts';

/** Replaces secrets by `$NAME` in whatever leaves the process. */
export interface Redactor {
  /**
   * Redacts a further secret from now on, wherever it appears. Of many values under one name the
   * newest are kept.
   *
   * @throws {SecretUnfit} when it has fewer than 4 characters, or more than 32,768
   */
  readonly add: (name: string, value: string) => void;
  /** Keeps a credential that the target issued out of records, as far as {@link Reach} says. */
  readonly learn: (name: string, value: string) => Reach;
  /** Keeps a value that was made from a secret out of records, as far as that secret is. */
  readonly addLike: (name: string, ownName: string, value: string) => void;
  /** Lets a credential stand in headers: a test value that the driver made up. */
  readonly markPublic: (value: string) => void;
  /** The value of a secret, the one added last under its name, for whoever must send it. */
  readonly reveal: (name: string) => string | undefined;
  /** Redacting again changes nothing. */
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Redacts values, and masks credentials by nature that are neither known nor public. */
  readonly headers: (headers: HeaderList) => HeaderList;
  readonly body: (body: Body) => Body;
  /** An exchange as it was; `claims` where it is about credentials that the target issues. */
  readonly exchange: (exchange: Exchange, about?: { readonly claims: boolean }) => Exchange;
  /**
   * What `exchange` does, for a request that is sent many times: its own part once, then the outcomes.
   * It holds what is secret when it is made, and is not for requests that claim credentials.
   */
  readonly sending: (sending: Sending) => RedactedSending;
  /** Credentials that were sent and may stand in records, a sentence each. */
  readonly notices: () => readonly string[];
}

/** The part of an exchange that is known before anything is sent. */
export type Sending = Pick<Exchange, 'api' | 'purpose' | 'relations' | 'request'>;

/** A request as it may stand in records, and the same for whatever comes back. */
export interface RedactedSending {
  readonly sent: Sending;
  readonly outcome: (outcome: Outcome) => Outcome;
}

/** Of what is made or learned in a run; those of the environment have more (`unfit-secret.ts`). */
const MIN_SECRET = 4;
const MASK = '[redacted]';
/** Header fields of credentials, no two of one length, by the length of their names. */
const CREDENTIAL_HEADERS: string[] = [];
for (const name of ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']) {
  CREDENTIAL_HEADERS[name.length] = name;
}
/** What makes an ASCII letter small. */
const SMALL = 0x20;

/** Whether a header field carries a credential; most are distinguished by the length and first letter. */
function isOfCredential([name]: readonly [name: string, ...unknown[]]): boolean {
  const credential = CREDENTIAL_HEADERS[name.length];
  return (
    (name.charCodeAt(0) | SMALL) === credential?.charCodeAt(0) && name.toLowerCase() === credential
  );
}

/** Authentication schemes, which say nothing secret; any other first word might be the key itself. */
const SCHEME =
  /^(basic|bearer|digest|dpop|gnap|hoba|mutual|negotiate|privatetoken|token|apikey) +/i;
/** Values under one name that are looked for. */
const MAX_VALUES = 64;

/**
 * A redactor for the given secrets. They are found in the forms of `redaction/secret-forms.ts`, also
 * if the text is escaped, in time that follows the length of the text.
 *
 * @throws {SecretUnfit} when one of them has fewer than 4 characters, or more than 32,768
 */
export function createRedactor(secrets: Secrets): Redactor {
  /** Names of values that stand for a credential as a whole, the learned ones too. */
  const nameOf = new Map<string, string>();
  const valueOf = new Map<string, string>();
  const valuesOf = new Map<string, string[]>();
  const publicValues = new Set<string>();
  const learned = new LearnedSecrets();
  const reaches = new Map<string, Reach>();
  const exposed = new Set<string>();
  const seen = new SeenWords();
  const redaction = new Redaction();

  function add(name: string, value: string): void {
    if (value.length < MIN_SECRET)
      throw new SecretUnfit(name, `is shorter than ${MIN_SECRET} characters`);
    if (value.length > MAX_SECRET)
      throw new SecretUnfit(name, `is longer than ${MAX_SECRET} characters`);
    valueOf.set(name, value);
    if (nameOf.get(value) === name && !reaches.has(name)) return;
    nameOf.set(value, name);
    const values = [...(valuesOf.get(name) ?? []), value];
    for (const dropped of values.splice(0, values.length - MAX_VALUES)) nameOf.delete(dropped);
    valuesOf.set(name, values);
    redaction.setOwn([...valuesOf].flatMap(([own, all]) => all.map((one) => secretOf(own, one))));
  }

  function learn(name: string, value: string): Reach {
    valueOf.set(name, value);
    // A target that issues what is secret anyway has it replaced already.
    const own = nameOf.get(value);
    if (own !== undefined && valuesOf.has(own)) return 'everywhere';
    nameOf.set(value, name);
    const reach = learned.reachOf(value) ?? reachOf(value, seen);
    reaches.set(name, reach);
    if (learned.add({ name, value, reach })) redaction.setLearned(learned.all());
    return reach;
  }

  function reveal(name: string): string | undefined {
    const reach = reaches.get(name);
    if (reach === 'credentials' || reach === 'header') exposed.add(name);
    return valueOf.get(name);
  }

  /** A credential, its scheme left standing. What a target says may look like a name of ours. */
  function mask(value: string, place: Place, isAsItWas: boolean): string {
    // A variable may hold the scheme as well.
    const whole = nameOf.get(value);
    if (whole !== undefined) return `$${whole}`;
    const scheme = SCHEME.exec(value)?.[0] ?? '';
    const credential = value.slice(scheme.length);
    const name = nameOf.get(credential);
    if (name !== undefined) return `${scheme}$${name}`;
    const isName = credential.startsWith('$') && valueOf.has(credential.slice(1));
    if (credential === '' || (isName && !isAsItWas)) return value;
    return scheme + (publicValues.has(credential) ? redaction.text(credential, place) : MASK);
  }

  function redactHeaders(headers: HeaderList, place: Place, isAsItWas: boolean): HeaderList {
    // Of most answers nothing is to be replaced.
    if (redaction.isIdle && !headers.some(isOfCredential)) return headers;
    return headers.map(([name, value]) => [
      redaction.text(name, 'elsewhere'),
      isOfCredential([name]) ? mask(value, place, isAsItWas) : redaction.text(value, place),
    ]);
  }

  function redactBody(body: Body, place: Place): Body {
    if (redaction.isIdle) return body;
    if (body.encoding === 'utf8') {
      return { encoding: 'utf8', text: redaction.text(body.text, place) };
    }
    return bodyOf(redaction.bytes(bytesOf(body), place));
  }

  function redactOutcome(outcome: Outcome, place: Place): Outcome {
    const outside = place === 'elsewhere' ? 'outside' : place;
    if (outcome.kind === 'failure') {
      return { ...outcome, message: redaction.text(outcome.message, outside) };
    }
    const { status, headers, body } = outcome.response;
    const redacted = redactHeaders(headers, outside, true);
    if (redaction.isIdle && redacted === headers) return outcome;
    const isSuccess = status >= 200 && status < 300;
    return {
      kind: 'response',
      response: { status, headers: redacted, body: redactBody(body, isSuccess ? place : outside) },
    };
  }

  function placeOf({ api, request }: Sending, claims: boolean): Place {
    if (claims) return 'claims';
    if (api === 'docs') return 'docs';
    // What comes back of the credential that was sent is an echo, whatever it looks like.
    const sent = headerOf(request.headers, 'authorization')?.replace(SCHEME, '') ?? '';
    return reaches.has(nameOf.get(sent) ?? '') ? 'outside' : 'elsewhere';
  }

  function redactExchange(exchange: Exchange, { claims } = { claims: false }): Exchange {
    if (!claims) seen.addExchange(exchange);
    const place = placeOf(exchange, claims);
    return {
      ...exchange,
      ...redactSending(exchange, place),
      outcome: redactOutcome(exchange.outcome, place),
    };
  }

  function redactSending({ api, purpose, relations, request }: Sending, place: Place): Sending {
    const text = (value: string): string => redaction.text(value, place);
    const { method, url, path, headers, body } = request;
    return {
      api,
      purpose: redactPurpose(purpose, text),
      relations: relations.map((one) => ({ ...one, group: text(one.group) })),
      request: {
        method: text(method),
        url: text(url),
        path: text(path),
        headers: redactHeaders(headers, place === 'elsewhere' ? 'outside' : place, true),
        body: body === null ? null : redactBody(body, place),
      },
    };
  }

  for (const [name, value] of Object.entries(secrets)) add(name, value);
  return {
    add,
    learn,
    addLike: (name, ownName, value) => {
      if (valuesOf.has(name)) add(ownName, value);
      else learn(ownName, value);
    },
    markPublic: (value) => {
      publicValues.add(value);
    },
    reveal,
    text: (text) => redaction.text(text, 'outside'),
    bytes: (bytes) => redaction.bytes(bytes, 'outside'),
    headers: (headers) => redactHeaders(headers, 'outside', false),
    body: (body) => redactBody(body, 'outside'),
    exchange: redactExchange,
    sending: (sending) => {
      const place = placeOf(sending, false);
      return {
        sent: redactSending(sending, place),
        outcome: (outcome) => redactOutcome(outcome, place),
      };
    },
    notices: () => [...exposed].map(exposure),
  };
}

function secretOf(name: string, value: string): LearnedSecret {
  return { name, value, reach: 'everywhere' };
}

function exposure(name: string): string {
  return `The target issued a credential that is no opaque token (${name}), so the record may show it if the target answered with it.`;
}

/** What a driver says of a request may quote the target; the kinds of purposes are our own words. */
function redactPurpose(purpose: Purpose, text: (value: string) => string): Purpose {
  switch (purpose.kind) {
    case 'invalid':
      return { ...purpose, defect: text(purpose.defect) };
    case 'probe':
      return { ...purpose, about: text(purpose.about) };
    default:
      return purpose;
  }
}

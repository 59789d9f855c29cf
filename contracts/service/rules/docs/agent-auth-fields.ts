import { isObject } from '../../../wire/json.ts';

/**
 * What is likely meant by the fields of agent-auth messages, whose names are not shown (section 5.9).
 * A name counts without case and punctuation, so `claim_token` and `claimToken` are the same.
 */

/** A string in a message, with the name it stands under. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A name in lower case without anything but letters and digits. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** No message has more strings, or objects as deep in each other; of one that has, so many count. */
const MAX_TEXTS = 64;
const MAX_DEPTH = 8;

/** Every string in a message, objects inside it too. */
export function textsIn(json: unknown): readonly NamedText[] {
  const texts: NamedText[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH) return;
    for (const [name, member] of Object.entries(value)) {
      if (texts.length === MAX_TEXTS) return;
      if (typeof member === 'string') texts.push({ name, text: member });
      else walk(member, depth + 1);
    }
  };
  walk(json, 1);
  return texts;
}

/** Names that a credential may have, the surest first; `value` only inside an object so named. */
const CREDENTIAL_NAMES: readonly string[] = [
  'credential',
  'apikey',
  'accesstoken',
  'bearertoken',
  'clientsecret',
  'secret',
  'key',
  'bearer',
  'token',
];

/** Shorter values are words, such as the type of a credential. */
const MIN_CREDENTIAL_CHARACTERS = 12;
/** Longer values fit no header field. */
const MAX_CREDENTIAL_CHARACTERS = 8_192;
const MAX_NAME_CHARACTERS = 100;
/** Shorter values hide nothing, and stand in many places. */
const MIN_HIDDEN_CHARACTERS = 8;

/** The credential that a message hands out; undefined when it shows none. */
export function credentialIn(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const holders = [json, json.data, json.credential, json.credentials, json.result].map(membersOf);
  for (const wanted of CREDENTIAL_NAMES) {
    for (const holder of holders) {
      const found = holder.find(({ plain, value }) => plain === wanted && isSecret(value));
      if (typeof found?.value === 'string') return found.value;
    }
  }
  const inner = isObject(json.credential) ? json.credential.value : undefined;
  return isSecret(inner) ? inner : undefined;
}

function membersOf(holder: unknown): { readonly plain: string; readonly value: unknown }[] {
  if (!isObject(holder)) return [];
  return Object.entries(holder)
    .filter(([name]) => name.length <= MAX_NAME_CHARACTERS)
    .map(([name, value]) => ({ plain: plainName(name), value }));
}

function isSecret(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= MIN_CREDENTIAL_CHARACTERS &&
    value.length <= MAX_CREDENTIAL_CHARACTERS &&
    !/\s/.test(value) &&
    !isWords(value)
  );
}

const WORDS = /^[a-z]{1,15}(?:[\s_.:/-]+[a-z]{1,15})*[.!]?$/i;

/**
 * Whether a text is made of words, as `PENDING_REVIEW` is. What has no vowel is none, such as a code
 * for people to type (RFC 8628 section 6.1).
 */
function isWords(text: string): boolean {
  // Longer texts are no words, and matching them takes a deep stack.
  return text.length <= MAX_CREDENTIAL_CHARACTERS && WORDS.test(text) && /[aeiou]/i.test(text);
}

/** Whether a text may be kept out of records: what is innocent stands in innocent places, too. */
export function mayHide(text: string): boolean {
  return text.length >= MIN_HIDDEN_CHARACTERS && !/^\d+$/.test(text) && !isWords(text);
}

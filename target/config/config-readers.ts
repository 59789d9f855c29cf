/** How each key of the configuration is read from what was given; what is wrong throws `Unwanted`. */

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { PROFILE_NAMES, type ProfileName } from '../../contracts/judging/profile.ts';
import { type FailOn, LEVELS, type RuleChoice } from '../../contracts/judging/rule-choice.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { ContractSource, ExtraHeader, KnownChainHint, Waiver } from './config-types.ts';
import { listOf, membersOf, textOf, Unwanted, type Reader } from './config-value.ts';
import type { OwnRulesSource } from './own-rules.ts';
import { isLikeCredential } from '../secrets/literal-header.ts';
import { apiOfKey, isSecretName, nameAtSecondTarget, SECRET_PREFIX } from './secrets.ts';
import { withoutPassword } from './without-password.ts';

const DAY_MS = 86_400_000;

export function readProfile(value: unknown): ProfileName {
  const wanted = `one of ${PROFILE_NAMES.join(', ')}`;
  const text = textOf(value, wanted);
  const found = PROFILE_NAMES.find((name) => name === text);
  if (found === undefined) throw new Unwanted(wanted);
  return found;
}

export function readReplay(value: unknown): string {
  const wanted = 'a finding as a report names it, e.g. zap.quote.served@drive:17';
  const text = textOf(value, wanted);
  if (!/^[^@\s]+@[^@\s]+:[^@\s]+$/.test(text)) throw new Unwanted(wanted);
  return text;
}

export function readAddress(value: unknown): string {
  const wanted = 'an IP address of this machine such as 127.0.0.2';
  const text = textOf(value, wanted);
  if (isIP(text) === 0) throw new Unwanted(wanted);
  return text;
}

export function readContracts(
  value: unknown,
  { typed, dir, apis }: Parameters<Reader>[1],
): readonly ContractSource[] {
  const wanted = `a list of [api=]FILE or [api=]URL, api one of ${apis.join(', ')}`;
  const list = !typed && typeof value === 'string' ? value.split(',') : value;
  return listOf(list, wanted, (item) => {
    const text = textOf(item, wanted).trim();
    const [, api, location = ''] = /^(?:([A-Za-z][A-Za-z0-9-]*)=)?(.*)$/s.exec(text) ?? [];
    if (location === '' || (api !== undefined && !apis.includes(api))) throw new Unwanted(wanted);
    if (/^[a-z][a-z0-9+.-]+:/i.test(location) && !isPlainUrl(location)) {
      throw new Unwanted(`${wanted}, without credentials in the URL`, withoutPassword(location));
    }
    const place = /^https?:\/\//i.test(location) ? location : resolve(dir, location);
    return api === undefined ? { location: place } : { api, location: place };
  });
}

/** Whether a URL is well-formed and names no user. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Fields that say how a message is sent, which the client alone decides. */
const OF_THE_CONNECTION =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|proxy-.*)$/i;

export function readHeaders(
  value: unknown,
  { apis }: Parameters<Reader>[1],
): readonly ExtraHeader[] {
  const wanted = `a list of "[api=]Name: value", api one of ${apis.join(', ')}`;
  const list = typeof value === 'string' ? [value] : value;
  return listOf(list, wanted, (item) => {
    const text = textOf(item, wanted);
    const [, api, name = '', field = ''] =
      /^(?:([a-z][a-z0-9-]*)=)?([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(text) ?? [];
    const shown = `${name || 'a header field'}: …`;
    if (name === '' || field === '' || /[^\t\x20-\x7e\x80-\xff]/.test(field)) {
      throw new Unwanted(wanted, shown);
    }
    if (api !== undefined && !apis.includes(api)) throw new Unwanted(wanted, shown);
    if (OF_THE_CONNECTION.test(name)) {
      throw new Unwanted(`${wanted}; ${name} is for the client alone to set`, shown);
    }
    if (field.startsWith('$') && nameAtSecondTarget(field.slice(1)) !== undefined) {
      const own = `$${nameAtSecondTarget(field.slice(1)) ?? ''}`;
      throw new Unwanted(`${wanted}; name ${own}, for which a second target gets ${field}`, shown);
    }
    if (field.startsWith('$') && !isSecretName(field.slice(1))) {
      throw new Unwanted(`${wanted}; of the environment only $${SECRET_PREFIX}… is taken`, shown);
    }
    if (!field.startsWith('$') && field.includes(`$${SECRET_PREFIX}`)) {
      throw new Unwanted(
        `the whole value of ${name} in one variable ${SECRET_PREFIX}…, as nothing is put in its place within a text`,
        shown,
      );
    }
    if (!field.startsWith('$') && isLikeCredential(name, field)) {
      throw new Unwanted(
        `the value of ${name} in a variable ${SECRET_PREFIX}…, given as "${name}: $${SECRET_PREFIX}…", since command lines and files are read by others`,
        shown,
      );
    }
    const own = field.startsWith('$') ? apiOfKey(field.slice(1)) : undefined;
    if (own !== undefined && (!apis.includes(own) || (api !== undefined && api !== own))) {
      throw new Unwanted(
        `${wanted}; ${field} is sent to the API ${own} alone, so use a variable ${SECRET_PREFIX}…`,
        shown,
      );
    }
    const of = api ?? own;
    return { ...(of === undefined ? {} : { api: of }), name, value: field };
  });
}

const MAX_LABELS = 50;

/** `key=value`, one or several; or an object of a file. */
export function readLabels(value: unknown): Readonly<Record<string, string>> {
  const wanted = `at most ${MAX_LABELS} labels such as commit=4f2a91c, their names of letters, digits, dots and hyphens`;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const pairs = isObject
    ? Object.entries(value).map(([name, text]) => [name, String(text)] as const)
    : listOf(typeof value === 'string' ? value.split(',') : value, wanted, (item) => {
        const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(textOf(item, wanted).trim()) ?? [];
        return [name, text] as const;
      });
  const isGood = pairs.every(
    ([name, text]) => /^[A-Za-z0-9][\w.-]{0,59}$/.test(name) && text !== '' && text.length <= 500,
  );
  if (!isGood || pairs.length > MAX_LABELS) throw new Unwanted(wanted);
  return Object.fromEntries(pairs);
}

export function readHosts(value: unknown, { typed }: Parameters<Reader>[1]): readonly string[] {
  const wanted = 'a list of hosts such as schemas.example or 127.0.0.1:8080';
  const list = !typed && typeof value === 'string' ? value.split(',') : value;
  return listOf(list, wanted, (item) => {
    const host = textOf(item, wanted).trim().toLowerCase();
    if (/[\s/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) throw new Unwanted(wanted);
    return host;
  });
}

export function readKnown(value: unknown): { chains: readonly KnownChainHint[] } {
  const wanted = '{ chains: [{ id, tokens: [address], providers: [id] }] }';
  const texts = (list: unknown): readonly string[] =>
    listOf(list, wanted, (item) => textOf(item, wanted));
  const { chains } = membersOf(value, ['chains'], wanted);
  return {
    chains: listOf(chains, wanted, (item) => {
      const chain = membersOf(item, ['id', 'tokens', 'providers'], wanted);
      if (typeof chain.id !== 'number' || !Number.isSafeInteger(chain.id) || chain.id < 0) {
        throw new Unwanted(`${wanted}, id a whole number`);
      }
      return {
        id: chain.id,
        tokens: texts(chain.tokens ?? []),
        providers: texts(chain.providers ?? []),
      };
    }),
  };
}

/** Words that choose rules; what they mean is known once the contract is. */
export function readWords(value: unknown): readonly string[] {
  const wanted = 'rule ids, globs such as zap.path.*, sections such as 5.3, operations or APIs';
  const list = typeof value === 'string' ? [value] : value;
  const words = listOf(list, wanted, (item) => textOf(item, wanted).split(',')).flat();
  return words.map((word) => textOf(word, wanted).trim());
}

export function readLevels(value: unknown): RuleChoice['levels'] {
  const wanted = `{ <rule id, glob, section, operation or API>: ${LEVELS.join(' | ')} }`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unwanted(wanted);
  }
  return Object.entries(value).map(([rules, given]) => {
    const level = LEVELS.find((one) => one === given);
    if (level === undefined) throw new Unwanted(`${wanted}; the level of ${rules} is none`);
    return { rules, level };
  });
}

export function readFailOn(value: unknown): FailOn {
  const wanted = 'must or should';
  const text = textOf(value, wanted);
  if (text !== 'must' && text !== 'should') throw new Unwanted(wanted);
  return text;
}

/** Only if they stand is kept: threads that judge load them by themselves. */
export function ownCode(
  read: (value: unknown, apis: readonly ApiName[]) => readonly unknown[],
): (value: unknown, context: Parameters<Reader>[1]) => OwnRulesSource | undefined {
  return (value, { file, apis }) => (read(value, apis).length === 0 ? undefined : file);
}

export function readWaivers(value: unknown): readonly Waiver[] {
  const wanted =
    'a list of { rule, operation?, reason, owner, expires: YYYY-MM-DD }, all of them filled in';
  return listOf(value, wanted, (item) => {
    const waiver = membersOf(item, ['rule', 'operation', 'reason', 'owner', 'expires'], wanted);
    const { operation } = waiver;
    return {
      rule: textOf(waiver.rule, wanted),
      ...(operation === undefined ? {} : { operation: textOf(operation, wanted) }),
      reason: textOf(waiver.reason, wanted),
      owner: textOf(waiver.owner, wanted),
      expires: readDay(waiver.expires, wanted),
    };
  });
}

/** A day that exists; YAML and JavaScript may give it as a date. */
function readDay(value: unknown, wanted: string): string {
  if (value instanceof Date && value.getTime() % DAY_MS === 0) {
    return value.toISOString().slice(0, 10);
  }
  const text = textOf(value, wanted);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new Unwanted(`${wanted}; ${text} is not such a day`);
  }
  return text;
}

/** Readers of single configuration values: what is given becomes what is meant, or is refused. */

import type { ApiName } from '../../contracts/wire/exchange.ts';
import { withoutPassword } from './without-password.ts';

/** Where a value comes from, as far as reading it depends on it. */
export interface ValueContext {
  /** Flags and variables are text; a file has types, and they count. */
  readonly typed: boolean;
  /** Folder that relative paths are relative to. */
  readonly dir: string;
  /** The APIs of the service, whose names some values hold. */
  readonly apis: readonly ApiName[];
  /** Of values of a file: which it is, and the environment of it that was chosen. */
  readonly file?: { readonly path: string; readonly env?: string };
}

/** Thrown by readers; the message says what is wanted, `shown` replaces the value in messages. */
export class Unwanted extends Error {
  override readonly name = 'Unwanted';
  readonly shown: string | undefined;

  constructor(wanted: string, shown?: string) {
    super(wanted);
    this.shown = shown;
  }
}

/** Reads a value, or throws {@link Unwanted}. */
export type Reader = (value: unknown, context: ValueContext) => unknown;

/** An http(s) base URL without its trailing slash. */
export const readBaseUrl: Reader = (value) => {
  const wanted = 'an http or https URL such as http://127.0.0.1:8080/prefix';
  if (typeof value !== 'string') throw new Unwanted(wanted);
  const shown = withoutPassword(value);
  if (!/^https?:\/\//i.test(value.trim())) throw new Unwanted(wanted, shown);
  let url: URL;
  try {
    url = new URL(value.trim());
  } catch {
    throw new Unwanted(wanted, shown);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Unwanted(`${wanted}, without credentials: those come from the environment`, shown);
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(value)) {
    throw new Unwanted(`${wanted}, without a query or fragment`, shown);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
};

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number): Reader {
  return (value, { typed }) => {
    const number = numberOf(value, typed, /^-?[0-9]+$/);
    if (number === undefined || !Number.isSafeInteger(number) || number < least || number > most) {
      throw new Unwanted(`a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

/** A number above zero. */
export const readPositive: Reader = (value, { typed }) => {
  const number = numberOf(value, typed, /^[0-9]+(?:\.[0-9]+)?$/);
  if (number === undefined || !Number.isFinite(number) || number <= 0) {
    throw new Unwanted('a number above 0');
  }
  return number;
};

function numberOf(value: unknown, typed: boolean, shape: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  return !typed && typeof value === 'string' && shape.test(value) ? Number(value) : undefined;
}

/** A text that is not blank. */
export function textOf(value: unknown, wanted: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Unwanted(wanted);
  return value;
}

/** The members of an object that has no others. */
export function membersOf(
  value: unknown,
  names: readonly string[],
  wanted: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unwanted(wanted);
  }
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Unwanted(`${wanted}; nothing named ${unknown.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

/** The items of a list, each read. */
export function listOf<T>(
  value: unknown,
  wanted: string,
  read: (item: unknown) => T,
): readonly T[] {
  if (!Array.isArray(value)) throw new Unwanted(wanted);
  return value.map((item: unknown) => read(item));
}

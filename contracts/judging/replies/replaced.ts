/** What Assay itself changed in an exchange: where a secret of the environment stood, a name stands. */

import type { RecordedRequest } from '../../wire/exchange.ts';
import { parsePointer } from '../../wire/json-pointer.ts';
import type { Broken } from '../rule.ts';
import type { View } from '../view.ts';

/**
 * A name of a variable in place of what it holds, with what may be letters of its surroundings. Those of credentials
 * that are made or issued in a run are none: nobody would take them for what a service lists.
 */
const NAMED = /\$(ASSAY_(?:AGAINST_)?(?:SECRET_\w{1,100}|TRADE_KEY(?:_2)?(?!_[A-Z\d])))/;

/** The variable whose name stands in a text, as {@link variableOf} takes it; undefined of nearly all. */
function namedIn(text: string): string | undefined {
  return text.includes('$ASSAY_') ? NAMED.exec(text)?.[1] : undefined;
}

/** The variable that a text begins with, of those of the run; what stands behind it may be a part of the text. */
export function variableOf(named: string, variables: readonly string[]): string {
  const known = variables.filter((name) => named.startsWith(name));
  return known.toSorted((a, b) => b.length - a.length)[0] ?? named;
}

/** The variable whose name stands in a success: the service served as data what it holds. */
export function replacedInSuccess(view: View): string | undefined {
  return view.succeeded ? namedIn(view.text) : undefined;
}

/** The variable whose name stands in what was sent, but for headers, where credentials belong. */
function replacedInRequest({ path, body }: RecordedRequest): string | undefined {
  return (
    namedIn(path.replaceAll(/%24/g, '$')) ??
    (body?.encoding === 'utf8' ? namedIn(body.text) : undefined)
  );
}

/** The variable whose name stands in what a rule over several exchanges compares: a request, or a success. */
export function replacedInExchange(view: View): string | undefined {
  return replacedInRequest(view.exchange.request) ?? replacedInSuccess(view);
}

/**
 * Finds the variable whose name stands where a rule is broken, in one exchange. An error may quote what was sent,
 * so of one only the very text that is wrong counts.
 */
export function replacedIn(view: View): (broken: Broken) => string | undefined {
  const sent = replacedInRequest(view.exchange.request);
  const answered = namedIn(view.text);
  const ofSuccess = replacedInSuccess(view);
  return ({ pointer, actual }) => {
    const own = namedIn(actual) ?? sent;
    if (own !== undefined || answered === undefined) return own;
    if (view.json === undefined) return ofSuccess;
    const value = valueAt(view.json, pointer);
    if (typeof value === 'string') return namedIn(value);
    return ofSuccess !== undefined && typeof value === 'object'
      ? namedIn(JSON.stringify(value))
      : undefined;
  };
}

function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const token of parsePointer(pointer) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}

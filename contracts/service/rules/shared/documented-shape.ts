import { isObject, listOf, member } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { isWordPassed } from './passed-word.ts';
import { responseShape } from '../../../rules/response-shape.ts';
import { brokenBySchema } from '../../../rules/schema-broken.ts';

/** The rule that successes of an operation have the shape that the document shows. */
export function documentedShape(operation: string, source: string): Rule {
  return responseShape(operation, source, isShapedElsewhere);
}

/** Where the agent-auth members stand in a discovery document; they have rules of their own. */
export const AGENT_AUTH = '/agent_auth';

/** Whether a place of a discovery document is the business of the rules on agent_auth. */
export function isOfAgentAuth(pointer: string): boolean {
  return pointer === AGENT_AUTH || pointer.startsWith(`${AGENT_AUTH}/`);
}

/** Whether a place of a success needs nothing, or is the business of a rule of its own. */
export function isShapedElsewhere(view: View, pointer: string): boolean {
  return isNeedless(view, pointer) || (view.exchange.api === 'docs' && isOfAgentAuth(pointer));
}

/**
 * The native token needs no approval, and the document does not say what stands in its place then.
 * Nothing, null, or empty fields are all right.
 */
function isNeedless(view: View, pointer: string): boolean {
  if (!pointer.startsWith('/data/approvalData')) return false;
  // Of a request that is nested too deeply to be read nobody knows what it spends.
  if (view.requestJson === undefined) return true;
  const source = member(view.requestJson, 'srcToken');
  return typeof source === 'string' && addressKey(source) === addressKey(NATIVE_TOKEN);
}

/** A kind of scalar value that the contract marks with `x-facet`. */
interface Facet {
  readonly name: string;
  readonly source: string;
  readonly protects: string;
  /** That of the kind when absent. */
  readonly rulesOut?: string;
}

/** The wrong answers that values of a kind exclude. */
const RULES_OUT: Readonly<Record<string, string>> = {
  'base-units':
    'A service that answers an amount as a number, in whole tokens, in hex or with an exponent: the response holds amounts.',
  decimal:
    'A service that answers USD values as numbers, as null or with an exponent: the response holds such values.',
  url: 'A service that answers logos as paths or empty texts: the response holds logos.',
  address:
    'A service that answers addresses without 0x, cut off or empty: the response holds addresses.',
  hex: 'A service that answers ids or call data in another form, or call data of half a byte: the response holds them.',
};

/**
 * The rule that all values of one kind, wherever they stand in an API's responses, are written as
 * the document says. Faults there are left out of the shape rules.
 *
 * @param holds whether a parsed response body holds such values at all
 */
export function wellFormedValues(
  api: ApiName,
  facet: Facet,
  operations: readonly string[],
  holds: (json: unknown) => boolean,
): Rule {
  return exchangeRule({
    id: `${api}.values.${facet.name}`,
    level: 'must',
    source: facet.source,
    protects: facet.protects,
    rulesOut:
      facet.rulesOut ??
      RULES_OUT[facet.name] ??
      'A service that writes such a value in another form: the response holds one.',
    api,
    operations,
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const { name } = facet;
      const broken = brokenBySchema(
        view,
        ({ facet: kind, pointer }) =>
          kind === name && !isNeedless(view, pointer) && !isWordPassed(view, pointer),
      );
      // A malformed value is one also if none was expected, e.g. beside an empty route.
      if (broken === null || broken === 'too much') return broken;
      return broken.length > 0 || holds(view.json) ? broken : null;
    },
  });
}

/** Whether a zap quote or build holds a route, where its amounts and addresses stand. */
export function hasRoute(json: unknown): boolean {
  return listOf(member(member(json, 'data'), 'path')).length > 0;
}

/** Whether a pool list holds pools. */
export function hasPools(json: unknown): boolean {
  return listOf(member(member(json, 'data'), 'pools')).length > 0;
}

/** Whether a zap build holds executable steps. */
export function hasSteps(json: unknown): boolean {
  return listOf(member(member(json, 'data'), 'steps')).length > 0;
}

/** Whether a trade build holds a transaction or quotes. */
export function hasBuild(json: unknown): boolean {
  return isObject(member(json, 'transaction')) || isObject(member(json, 'quotes'));
}

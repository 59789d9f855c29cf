import { excerpt } from '../judging/excerpt.ts';
import type { AnswerJudgement, Judgement } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import { bestStated, isJsonType, isMediaType } from '../document/openapi/media-type.ts';
import { isOwnAnswer } from './own-answer.ts';

const SHOWN_CHARACTERS = 120;

// The contract states for the status media types of JSON and nothing else, or the answer says that it is
// the JSON which the contract states.
export function judgeIsJson(view: View): AnswerJudgement {
  const types = view.operation?.mediaTypesOf(view.status) ?? [];
  if (!isJsonDue(types, view.contentType) || !isOwnAnswer(view)) return null;
  if (view.operation?.statesOctetsAs(view.status, view.contentType) === true) return null;
  if (view.isTooMuch) return 'too much';
  const { jsonError, text } = view;
  if (jsonError === undefined) return [];
  const actual = `${excerpt(text, SHOWN_CHARACTERS)} (${jsonError})`;
  return [{ pointer: '', expected: 'a JSON body', actual }];
}

// A client chooses how it reads an answer by its media type. What is no JSON if nothing else is stated
// is the business of the rule above.
export function judgeMediaType(view: View): Judgement {
  const types = view.operation?.mediaTypesOf(view.status) ?? [];
  const { contentType, isJson, status } = view;
  if (types.length === 0 || !types.every(isMediaType)) return null;
  if (contentType === undefined || !hasContent(view) || !isOwnAnswer(view)) return null;
  const isStated = holds(types, contentType);
  if (!isStated && !isJson && types.every(isJsonType)) return null;
  if (isStated || isJsonByAnotherName(types, contentType, status)) return [];
  const actual = excerpt(contentType, SHOWN_CHARACTERS);
  return [{ pointer: '', expected: `a body of ${types.join(' or ')}`, actual }];
}

// A sender that knows the media type of content should name it.
export function judgeNamesMediaType(view: View): Judgement {
  const types = view.operation?.mediaTypesOf(view.status) ?? [];
  if (types.length === 0 || !hasContent(view) || !isOwnAnswer(view)) return null;
  if (view.contentType !== undefined) return [];
  return [{ pointer: '', expected: 'a Content-Type', actual: 'a body without one' }];
}

function isJsonDue(types: readonly string[], contentType: string | undefined): boolean {
  if (types.length === 0) return false;
  if (types.every(isJsonType)) return true;
  return (
    contentType !== undefined &&
    isJsonType(contentType) &&
    holds(types.filter(isJsonType), contentType)
  );
}

function holds(types: readonly string[], contentType: string): boolean {
  return types.some((type) => bestStated([{ type }], contentType) !== undefined);
}

/**
 * Whether an answer is JSON as stated under a name that clients take for the same: `text/json` and
 * `application/json`, and of an error `application/problem+json`, which frameworks make of either
 * (RFC 9457).
 */
function isJsonByAnotherName(
  types: readonly string[],
  contentType: string,
  status: number,
): boolean {
  const names = ['application/json', 'text/json'];
  if (status >= 400) names.push('application/problem+json');
  const others = types
    .filter((type) => holds(['application/json', 'text/json'], type))
    .flatMap((type) => names.map((name) => type.replace(/^[^;]*/, name)));
  return holds(others, contentType);
}

function hasContent({ exchange: { outcome } }: View): boolean {
  return outcome.kind === 'response' && outcome.response.body.text !== '';
}

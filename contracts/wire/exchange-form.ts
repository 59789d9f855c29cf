/** Whether plain data that came from elsewhere is an exchange, in every member that anybody reads. */

import { isApiName, NODE_API } from './exchange.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * What is wrong with the first member that is not as {@link Exchange} says, in words; undefined for an
 * exchange. Members that it does not know are allowed.
 *
 * @param apis those that it may be of; any when absent
 */
export function exchangeFault(value: unknown, apis?: readonly string[]): string | undefined {
  if (!isMembers(value)) return 'it is no object';
  const { id, api, purpose, relations, request, outcome, sentAtMs, latencyMs } = value;
  if (typeof id !== 'string' || !/^[\w.-]{1,64}$/.test(id)) return 'its id is no id';
  const isKnown = api === NODE_API || (isApiName(api) && apis?.includes(api) !== false);
  if (!isKnown) return 'its api is none of the APIs';
  if (!isTexts(purpose, ['kind'], ['defect', 'about'])) return 'its purpose is no purpose';
  const areRelations =
    Array.isArray(relations) && relations.every((one) => isTexts(one, ['kind', 'group', 'role']));
  if (!areRelations) return 'its relations are no list of relations';
  if (!isTime(sentAtMs) || !isTime(latencyMs)) return 'its times are no numbers of milliseconds';
  return requestFault(request) ?? outcomeFault(outcome);
}

function requestFault(value: unknown): string | undefined {
  if (!isTexts(value, ['method', 'url', 'path'])) return 'its request is no request';
  const { headers, body } = value as Members;
  if (!isHeaderList(headers)) return 'the headers of its request are no list of pairs of texts';
  return body === null || isBody(body) ? undefined : 'the body of its request is no body';
}

function outcomeFault(value: unknown): string | undefined {
  if (!isMembers(value)) return 'its outcome is no object';
  const { kind, response } = value;
  if (kind === 'failure') {
    return isTexts(value, ['failure', 'message']) ? undefined : 'its failure is no failure';
  }
  if (kind !== 'response' || !isMembers(response)) return 'its outcome is no outcome';
  const { status, headers, body } = response;
  if (!Number.isInteger(status)) return 'the status of its response is no whole number';
  if (!isHeaderList(headers)) return 'the headers of its response are no list of pairs of texts';
  return isBody(body) ? undefined : 'the body of its response is no body';
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the members are texts; the optional ones if they are there. */
function isTexts(
  value: unknown,
  names: readonly string[],
  optional: readonly string[] = [],
): boolean {
  if (!isMembers(value)) return false;
  return (
    names.every((name) => typeof value[name] === 'string') &&
    optional.every((name) => value[name] === undefined || typeof value[name] === 'string')
  );
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isHeaderList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (pair: unknown) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
    )
  );
}

function isBody(value: unknown): boolean {
  return (
    isTexts(value, ['encoding', 'text']) &&
    ['utf8', 'base64'].includes((value as Members).encoding as string)
  );
}

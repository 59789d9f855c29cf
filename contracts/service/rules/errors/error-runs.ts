import { isObject } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { headerOf } from '../../../wire/exchange.ts';

const MAX_CHARACTERS = 1_000;

interface Identified {
  readonly requestId: string;
  /** The resource, if the answer may have come from a cache; empty if it may not. */
  readonly cacheable: string;
  /** The Idempotency-Key: the answer may be the one that was given to it before. */
  readonly key: string;
  /** Of the exchange. */
  readonly id: string;
}

/** Methods whose answers a cache may keep (RFC 9110 section 9.2.3). */
const CACHEABLE: readonly string[] = ['GET', 'HEAD'];

function identified(view: View): Identified | null {
  const { json } = view;
  const { id, request } = view.exchange;
  const { method, path, headers } = request;
  if (!isObject(json) || typeof json.requestId !== 'string' || json.requestId === '') return null;
  // Longer ones are not kept.
  if (json.requestId.length > MAX_CHARACTERS) return null;
  return {
    requestId: json.requestId,
    cacheable: CACHEABLE.includes(method) ? path : '',
    key: headerOf(headers, 'idempotency-key') ?? '',
    id,
  };
}

// Section 7: requestId identifies a request, so no two requests have the same.
function judgeIds(errors: readonly Collected<Identified>[]): GroupJudgement[] {
  const first = new Map<string, Collected<Identified>>();
  const groups: GroupJudgement[] = [];
  for (const error of errors) {
    const { requestId, cacheable, key } = error.fact;
    const known = first.get(requestId);
    if (known === undefined) {
      first.set(requestId, error);
      if (errors.length > 1) groups.push({ witnesses: [error.witness], judgement: [] });
      continue;
    }
    if (cacheable !== '' && cacheable === known.fact.cacheable) continue;
    if (key !== '' && key === known.fact.key) continue;
    const expected = 'an identifier of this request alone';
    const actual = `${requestId}, which another request was given`;
    const broken = [{ pointer: '/requestId', expected, actual }];
    groups.push({ witnesses: [error.witness, known.witness], judgement: broken });
  }
  return groups;
}

/** Longer request bodies are not kept for comparison. */
const MAX_COMPARED = 4_000;

interface Coded {
  readonly path: string;
  readonly body: string;
  /** What else of the request may decide its answer. */
  readonly request: readonly string[];
  readonly code: string;
  /** Whether the request has no trouble of its own, so that any other may meet this code as well. */
  readonly isOfValid: boolean;
}

/** What lacks several fields at once: which of them is named first may differ from call to call. */
const MANIFOLD: ReadonlySet<string> = new Set(['empty body', 'an array as body', 'no fields']);

/** Whether a body holds no field, or is no object: whatever its one defect, it lacks them all. */
function isEmpty(text: string): boolean {
  return /^\s*(?:$|[^{\s]|\{\s*\}\s*$)/.test(text);
}

/** Who asks, and when, decides these as well: 401, 403, 408, 409 and 425 (RFC 9110, RFC 8470). */
const OF_THE_MOMENT: readonly number[] = [401, 403, 408, 409, 425];

/** The code of an error that the request alone decides; which code it is, is open. */
function coded(view: View): Coded | null {
  const { purpose, request } = view.exchange;
  const isOfValid = purpose.kind === 'valid';
  if (!isOfValid && (purpose.kind !== 'invalid' || MANIFOLD.has(purpose.defect))) return null;
  if (view.status < 400 || view.status >= 500 || OF_THE_MOMENT.includes(view.status)) return null;
  const code = errorCodeOf(view.json);
  if (code === undefined) return null;
  const { method, path, body, headers } = request;
  if (isOfValid) return { path: '', body: '', request: [], code, isOfValid };
  if (body !== null && (body.text.length > MAX_COMPARED || isEmpty(body.text))) return null;
  const type = headerOf(headers, 'content-type') ?? '';
  const credential = headerOf(headers, 'authorization') ?? '';
  return { path, body: body?.text ?? '', request: [method, type, credential], code, isOfValid };
}

// Section 7: the code is stable, so the same wrong request gets the same one. What valid requests are refused with
// is a second trouble of a wrong one, and which of two is named first is open.
function judgeCodes(all: readonly Collected<Coded>[]): GroupJudgement[] {
  const ofValid = new Set(all.flatMap(({ fact }) => (fact.isOfValid ? [fact.code] : [])));
  const errors = all.filter(({ fact }) => !ofValid.has(fact.code));
  const firsts = new Map<string, Map<string, Collected<Coded>[]>>();
  return errors.flatMap((error): GroupJudgement[] => {
    const { request, path, body, code } = error.fact;
    let ofPath = firsts.get(path);
    if (ofPath === undefined) firsts.set(path, (ofPath = new Map<string, Collected<Coded>[]>()));
    let ofBody = ofPath.get(body);
    if (ofBody === undefined) ofPath.set(body, (ofBody = []));
    const known = ofBody.find(({ fact }) => fact.request.every((part, at) => part === request[at]));
    if (known === undefined) {
      ofBody.push(error);
      return [];
    }
    const witnesses = [error.witness, known.witness];
    if (known.fact.code === code) return [{ witnesses, judgement: [] }];
    const expected = `${known.fact.code}, as the same request got before`;
    return [{ witnesses, judgement: [{ pointer: '/code', expected, actual: code }] }];
  });
}

/** Rules on what the errors of a run have in common. */
export function errorRunRules(api: ApiName): readonly Rule[] {
  const base = { api, operations: '*', answer: 'error' } as const;
  return [
    runRule<Identified>({
      ...base,
      id: `${api}.errors.request-ids-differ`,
      level: 'should',
      source: 'implied by §7',
      protects: 'The request id of an error names one request, so that support can find it.',
      rulesOut:
        'A service that gives all errors, or the same error, one id: another request was given another.',
      leastEvidence: 2,
      collect: identified,
      nameOf: ({ requestId, cacheable, key, id }) => ({
        name: requestId,
        of: cacheable === '' ? id : cacheable,
        key,
      }),
      conclude: judgeIds,
    }),
    runRule<Coded>({
      ...base,
      id: `${api}.errors.stable-code`,
      level: 'must',
      source: '§7',
      protects: 'The same wrong request gets the same error code each time.',
      rulesOut:
        'A service whose codes hold a counter, a time or the request id, or differ by instance: the same wrong request was sent twice.',
      leastEvidence: 1,
      collect: coded,
      conclude: judgeCodes,
    }),
  ];
}

import { isObject, jsonTypeOf } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import type { View } from '../../judging/view.ts';
import { errorCodeOf } from '../wire/error-body.ts';
import type { ApiName } from '../../wire/exchange.ts';
import { readRateLimitHeaders } from '../../wire/rate-limit-headers.ts';

/** The fields that section 7 states. */
const STATED: ReadonlySet<string> = new Set([
  'status',
  'code',
  'message',
  'requestId',
  'retryAfter',
]);

function fieldsOf(view: View): Readonly<Record<string, unknown>> {
  return isObject(view.json) ? view.json : {};
}

/** Observers of the errors of an API (section 7). */
function errorObservers(api: ApiName): readonly Observer[] {
  const base = { api, operations: '*', answer: 'error' } as const;
  return [
    {
      ...base,
      id: `${api}.errors.codes`,
      clause: '§7 complete list of error codes, and the HTTP status of each',
      observe: (view) => [`${view.status} ${errorCodeOf(view.json) ?? 'without a code'}`],
    },
    {
      ...base,
      id: `${api}.errors.status-type`,
      clause: '§7 type of status',
      observe: (view) => {
        const { status } = fieldsOf(view);
        return status === undefined ? [] : [jsonTypeOf(status)];
      },
    },
    {
      ...base,
      id: `${api}.errors.retryable-marker`,
      clause: '§7 marker of retryable errors',
      observe: (view) => {
        const names = Object.keys(fieldsOf(view)).filter((name) => /retr/i.test(name));
        return names.length === 0 ? ['none'] : names;
      },
    },
    {
      ...base,
      id: `${api}.errors.other-fields`,
      clause: '§7 fields of errors beyond those stated',
      observe: (view) => Object.keys(fieldsOf(view)).filter((name) => !STATED.has(name)),
    },
  ];
}

/** What a limit's readings say, e.g. `600 in 10 s`; no counters, which differ each time. */
function limitsIn(view: View): readonly string[] {
  return readRateLimitHeaders(view.responseHeaders).readings.flatMap(({ policies }) =>
    policies.map(({ limit, windowSeconds }) =>
      windowSeconds === undefined ? `${limit}` : `${limit} in ${windowSeconds} s`,
    ),
  );
}

/** Observers of the limits of an API (sections 7 and 8). */
function limitObservers(api: ApiName): readonly Observer[] {
  const names = (view: View): readonly string[] =>
    view.responseHeaders
      .map(([name]) => name.toLowerCase())
      .filter((name) => /rate-?limit/.test(name));
  const base = { api, operations: '*' } as const;
  return [
    {
      ...base,
      id: `${api}.limits.header-names`,
      clause: '§8 names of the rate-limit headers',
      answer: 'answered',
      observe: names,
    },
    {
      ...base,
      id: `${api}.limits.values`,
      clause: '§8 numeric rate-limit values',
      answer: 'answered',
      observe: limitsIn,
    },
    {
      ...base,
      id: `${api}.throttled.answers`,
      clause: '§7 status, wait and header names of rate-limit responses',
      answer: 'throttled',
      observe: (view) => [
        `status ${view.status}`,
        `retryAfter ${jsonTypeOf(fieldsOf(view).retryAfter)}`,
        `Retry-After ${view.header('retry-after') === undefined ? 'absent' : 'present'}`,
        ...names(view),
      ],
    },
  ];
}

/** Observers of what sections 7 and 8 leave open. */
export const ERROR_OBSERVERS: readonly Observer[] = [
  ...errorObservers('zap'),
  ...errorObservers('trade'),
  ...errorObservers('docs'),
  ...limitObservers('zap'),
  ...limitObservers('trade'),
];

import { isObject } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import type { View } from '../../judging/view.ts';
import { errorCodeOf } from '../wire/error-body.ts';
import type { ApiName } from '../../wire/exchange.ts';
import { headerOf } from '../../wire/exchange.ts';

/** An answer in a few words: its status, and the code of an error. */
export function answerOf(view: View): string {
  const code = view.succeeded ? undefined : errorCodeOf(view.json);
  return code === undefined ? String(view.status) : `${view.status} ${code}`;
}

/** The path of a request, without its query. */
export function pathOf(view: View): string {
  return view.exchange.request.path.split('?', 1)[0] ?? '';
}

/** What is asked besides GET and POST, and what is reported by `Allow`. */
function methodsOf(view: View): readonly string[] {
  const { method } = view.exchange.request;
  if (method === 'GET' || method === 'POST') return [];
  const allow = view.header('allow');
  const reported = allow === undefined ? '' : `, Allow: ${allow}`;
  return [`${method} ${pathOf(view)}: ${answerOf(view)}${reported}`];
}

/** What became of a credential that the service did not ask for, or does not know. */
function credentialsOf(view: View): readonly string[] {
  const { request, purpose } = view.exchange;
  const field = headerOf(request.headers, 'authorization');
  if (field === undefined) return [];
  const scheme = field.split(' ', 1)[0] ?? '';
  const isUnknown = purpose.kind === 'invalid' || purpose.kind === 'probe';
  return [`${isUnknown ? 'unknown ' : ''}${scheme}: ${answerOf(view)}`];
}

/** Header fields that speak of versions and of their end (RFC 9745, RFC 8594). */
const VERSIONING = /^(?:deprecation|sunset|api-version|x-api-version|api-supported-versions)$/i;

function ofApi(api: ApiName): readonly Observer[] {
  const base = { api, operations: '*' } as const;
  return [
    {
      ...base,
      id: `${api}.methods`,
      clause: '§4 methods beside those stated, HEAD and OPTIONS among them',
      answer: 'answered',
      observe: methodsOf,
    },
    {
      ...base,
      id: `${api}.versioning`,
      clause: '§9 deprecation and compatibility policy',
      answer: 'answered',
      observe: (view) =>
        view.responseHeaders
          .filter(([name]) => VERSIONING.test(name))
          .map(([name, value]) => `${name}: ${value}`),
    },
  ];
}

/** The statuses and states that responses carry. */
function statusesOf(api: ApiName, operations: readonly string[] | '*'): Observer {
  return {
    id: `${api}.statuses`,
    clause: '§3 states and transitions',
    api,
    operations,
    answer: 'success',
    observe: ({ json }) =>
      isObject(json) && json.status !== undefined ? [JSON.stringify(json.status)] : [],
  };
}

/** What the successes of an API stream or push in place of answering. */
function eventsOf(api: ApiName): Observer {
  return {
    id: `${api}.events`,
    clause: '§6 events',
    api,
    operations: '*',
    answer: 'answered',
    observe: (view) => {
      const type = view.header('content-type') ?? '';
      const upgrade = view.header('upgrade');
      return [
        ...(/event-stream|ndjson|multipart/i.test(type) ? [type] : []),
        ...(upgrade === undefined ? [] : [`Upgrade: ${upgrade}`]),
      ];
    },
  };
}

/** Observers of what HTTP shows beside the stated requests (sections 3, 4, 5, 6 and 9). */
export const HTTP_OBSERVERS: readonly Observer[] = [
  ...ofApi('zap'),
  ...ofApi('trade'),
  statusesOf('zap', '*'),
  statusesOf('trade', '*'),
  statusesOf('docs', ['docs.register', 'docs.claim', 'docs.revoke']),
  eventsOf('zap'),
  eventsOf('trade'),
  {
    id: 'zap.credentials',
    clause: '§5.1 what becomes of a credential where none is needed',
    api: 'zap',
    operations: '*',
    answer: 'answered',
    observe: credentialsOf,
  },
  {
    id: 'trade.credentials',
    clause: '§5.2 what becomes of an unknown key, and of other schemes',
    api: 'trade',
    operations: '*',
    answer: 'answered',
    observe: credentialsOf,
  },
];

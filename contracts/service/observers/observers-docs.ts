import { isObject, listOf, member } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import { answerOf, pathOf } from './observers-http.ts';
import { AGENT_AUTH_OPERATIONS, DOCUMENT_OPERATIONS } from '../rules/shared/operations.ts';
import { readPublished } from '../rules/docs/published-openapi.ts';
import { objectOf } from '../rules/docs/published-operations.ts';
import type { View } from '../../judging/view.ts';

const AGENT_AUTH_PATH = /^\/\.well-known\/agent-auth\/(\w+)$/;

/** How an agent-auth endpoint answers which method, and what it allows. */
function agentAuthMethods(view: View): readonly string[] {
  const name = AGENT_AUTH_PATH.exec(pathOf(view))?.[1];
  if (name === undefined) return [];
  const { method } = view.exchange.request;
  const allow = view.header('allow');
  const reported = allow === undefined ? '' : `, Allow: ${allow}`;
  return [`${method} ${name}: ${answerOf(view)}${reported}`];
}

/** Fields of the answers of an agent-auth endpoint, without their values, which may be secret. */
function agentAuthFields(view: View): readonly string[] {
  const name = AGENT_AUTH_PATH.exec(pathOf(view))?.[1] ?? '';
  if (!isObject(view.json)) return [];
  return Object.keys(view.json).map((field) => `${name} ${view.status}: ${field}`);
}

/** Size and version of a published contract. */
function contractScope(view: View): readonly string[] {
  const { document } = readPublished(view.text);
  if (!isObject(document)) return [];
  const version = String(document.openapi ?? document.swagger);
  const servers = listOf(document.servers).length;
  const paths = Object.keys(objectOf(document.paths)).length;
  return [`${pathOf(view)}: OpenAPI ${version}, ${paths} paths, ${servers} servers`];
}

/** Webhooks, callbacks and deprecated operations of the published contract. */
function contractExtras(wanted: 'events' | 'deprecated'): (view: View) => readonly string[] {
  return (view) => {
    const { document } = readPublished(view.text);
    if (!isObject(document)) return [];
    const found: string[] = [];
    if (wanted === 'events') {
      for (const name of Object.keys(objectOf(document.webhooks))) found.push(`webhook ${name}`);
    }
    for (const [path, item] of Object.entries(objectOf(document.paths))) {
      for (const [method, operation] of Object.entries(objectOf(item))) {
        const holds =
          wanted === 'events'
            ? member(operation, 'callbacks') !== undefined
            : member(operation, 'deprecated') === true;
        if (holds) found.push(`${method.toUpperCase()} ${path}`);
      }
    }
    return found.length === 0 ? ['none'] : found;
  };
}

/** The APIs that the catalog names, and by which relations. */
function catalogLinks(view: View): readonly string[] {
  return listOf(member(view.json, 'linkset')).flatMap((context) => {
    const anchor = member(context, 'anchor');
    const relations = Object.keys(objectOf(context)).filter((name) => name !== 'anchor');
    return [`${typeof anchor === 'string' ? anchor : 'no anchor'}: ${relations.join(', ')}`];
  });
}

const ofDocs = { api: 'docs', answer: 'success' } as const;

/** Observers of the docs host and of the AI runtime (sections 1, 4.3, 4.4, 5, 6 and 9). */
export const DOCS_OBSERVERS: readonly Observer[] = [
  {
    ...ofDocs,
    id: 'docs.media-types',
    clause: '§1 media types of the published documents',
    operations: DOCUMENT_OPERATIONS,
    observe: (view) => [`${pathOf(view)}: ${view.header('content-type') ?? 'none'}`],
  },
  {
    ...ofDocs,
    id: 'docs.openapi.scope',
    clause: '§1 what the API-scoped mirror leaves out',
    operations: ['docs.openapi', 'docs.openapi-mirror'],
    observe: contractScope,
  },
  {
    ...ofDocs,
    id: 'docs.agent-auth.holder',
    clause: '§5.4 which discovery document holds agent_auth',
    operations: DOCUMENT_OPERATIONS,
    observe: (view) => (member(view.json, 'agent_auth') === undefined ? [] : [pathOf(view)]),
  },
  {
    ...ofDocs,
    id: 'docs.metadata.members',
    clause: '§4.3 members of the metadata documents',
    operations: ['docs.protected-resource', 'docs.authorization-server'],
    observe: (view) =>
      isObject(view.json) ? Object.keys(view.json).map((name) => `${pathOf(view)}: ${name}`) : [],
  },
  {
    ...ofDocs,
    id: 'docs.api-catalog.links',
    clause: '§4.3 contents of the API catalog',
    operations: ['docs.api-catalog'],
    observe: catalogLinks,
  },
  {
    id: 'docs.agent-auth.methods',
    clause: '§4.3 HTTP methods of register, claim and revoke',
    api: 'docs',
    operations: '*',
    answer: 'answered',
    observe: agentAuthMethods,
  },
  {
    id: 'docs.agent-auth.fields',
    clause: '§5.9 field names of register, claim and revoke',
    api: 'docs',
    operations: AGENT_AUTH_OPERATIONS,
    answer: 'answered',
    observe: agentAuthFields,
  },
  {
    id: 'docs.head',
    clause: '§4.3 HEAD of the discovery documents',
    api: 'docs',
    operations: '*',
    answer: 'answered',
    observe: (view) =>
      view.exchange.request.method === 'HEAD' ? [`${pathOf(view)}: ${view.status}`] : [],
  },
  {
    ...ofDocs,
    id: 'docs.openapi.events',
    clause: '§6 events',
    operations: ['docs.openapi'],
    observe: contractExtras('events'),
  },
  {
    ...ofDocs,
    id: 'docs.openapi.deprecated',
    clause: '§9 deprecation and compatibility policy',
    operations: ['docs.openapi'],
    observe: contractExtras('deprecated'),
  },
  {
    id: 'ai.answers',
    clause: '§4.4 endpoints of the AI runtime',
    api: 'ai',
    operations: '*',
    answer: 'any',
    observe: (view) => {
      const { method } = view.exchange.request;
      const type = view.header('content-type')?.split(';', 1)[0];
      const said = view.status === 0 ? 'no answer' : answerOf(view);
      return [`${method} ${pathOf(view)}: ${said}${type === undefined ? '' : `, ${type}`}`];
    },
  },
];

import { plainName, textsIn } from '../../../contracts/service/rules/docs/agent-auth-fields.ts';
import { METHODS, readPublished } from '../../../contracts/service/rules/docs/published-openapi.ts';
import { followed, objectOf } from '../../../contracts/service/rules/docs/published-operations.ts';
import type { JsonObject } from '../../../contracts/wire/json.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';

/** A field of a message, as a published contract has it. */
export interface MessageField {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  /** The values it may have; none if any will do. */
  readonly values: readonly string[];
}

/** How an agent-auth endpoint is asked. */
export interface MessageForm {
  /** In upper case. */
  readonly method: string;
  /** Below the base URL of the docs host. */
  readonly path: string;
  /** Undefined if the published contract does not say. */
  readonly fields?: readonly MessageField[];
}

/** How register, claim and revoke are asked; their methods and fields are not shown (section 5.9). */
export interface AgentAuthForms {
  readonly register: MessageForm;
  readonly claim: MessageForm;
  readonly revoke: MessageForm;
}

/** The forms that the target's own contract states, else POST without a word about fields. */
export function agentAuthFormsIn(contractText: string): AgentAuthForms {
  const { document } = readPublished(contractText);
  const form = (name: string): MessageForm => formIn(objectOf(document), name);
  return { register: form('register'), claim: form('claim'), revoke: form('revoke') };
}

function formIn(document: JsonObject, name: string): MessageForm {
  const path = `/.well-known/agent-auth/${name}`;
  const entry = Object.entries(objectOf(document.paths)).find(([key]) =>
    key.endsWith(`/agent-auth/${name}`),
  );
  const item = followed(document, entry?.[1]) ?? {};
  const method = ['post', ...METHODS].find((candidate) => isObject(item[candidate])) ?? 'post';
  const operation = objectOf(item[method]);
  const fields = fieldsOf(document, operation);
  const form = { method: method.toUpperCase(), path };
  return fields === undefined ? form : { ...form, fields };
}

function fieldsOf(document: JsonObject, operation: JsonObject): MessageField[] | undefined {
  const body = followed(document, operation.requestBody) ?? {};
  const json = Object.entries(objectOf(body.content)).find(([type]) => /json|\*\/\*/i.test(type));
  if (json !== undefined) return schemaFields(document, objectOf(json[1]).schema);
  const listed = listOf(operation.parameters).slice(0, MAX_FIELDS);
  const parameters = listed.map((one) => followed(document, one) ?? {});
  const fields = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) =>
      fieldOf(document, String(parameter.name), parameter.schema, parameter.required === true),
    );
  return fields.length > 0 ? fields : undefined;
}

/** A schema may hold itself, by way of its parts. */
const MAX_LEVELS = 8;
const MAX_PARTS = 5;
/** More choices and fields are no message that anybody fills in. */
const MAX_FIELDS = 100;

function schemaFields(
  document: JsonObject,
  schema: unknown,
  levels: number = MAX_LEVELS,
): MessageField[] | undefined {
  const resolved = levels > 0 ? followed(document, schema) : undefined;
  if (resolved === undefined) return undefined;
  const parts = listOf(resolved.allOf)
    .slice(0, MAX_PARTS)
    .flatMap((part) => schemaFields(document, part, levels - 1) ?? []);
  const choices = [...listOf(resolved.oneOf), ...listOf(resolved.anyOf)].slice(0, MAX_FIELDS);
  // Registering without an identity is what anybody can do (section 5.5).
  const isAnonymous = (choice: unknown): boolean =>
    JSON.stringify(followed(document, choice) ?? {}).includes('"anonymous"');
  const chosen = choices.find(isAnonymous) ?? choices[0];
  const required = new Set(listOf(resolved.required));
  const own = Object.entries(objectOf(resolved.properties))
    .slice(0, MAX_FIELDS)
    .map(([name, property]) => fieldOf(document, name, property, required.has(name)));
  const more = chosen === undefined ? [] : (schemaFields(document, chosen, levels - 1) ?? []);
  const fields = [...parts, ...own, ...more].slice(0, MAX_FIELDS);
  return fields.length > 0 ? fields : undefined;
}

function fieldOf(
  document: JsonObject,
  name: string,
  schema: unknown,
  required: boolean,
): MessageField {
  const resolved = followed(document, schema) ?? {};
  const type = [resolved.type].flat().find((one) => one !== 'null');
  const values = resolved.const === undefined ? listOf(resolved.enum) : [resolved.const];
  return {
    name,
    required,
    type: typeof type === 'string' ? type : 'string',
    values: values.filter((value) => typeof value === 'string'),
  };
}

/** What registration takes (section 5.6), by what a name of a field holds of it. */
const REGISTRATION: readonly (readonly [name: RegExp, value: (project: string) => string])[] = [
  [/email|contact/, () => 'assay@check.example'],
  [/credentialtype/, () => 'api_key'],
  [/type|identity/, () => 'anonymous'],
  [/volume|requests/, () => '100 requests a day'],
  [/endpoint/, () => '/v1/buildTx'],
  [/domain/, () => 'check.example'],
  [/categor/, () => 'testing'],
  [/project|^name$|clientname|appname/, (project) => project],
];

/** The names that section 5.6 suggests, for a target that publishes none. */
const SUGGESTED: readonly string[] = [
  'type',
  'project_name',
  'contact_email',
  'expected_request_volume',
  'intended_endpoints',
  'production_domain',
  'integration_category',
];

/** Bodies to try for a registration, the likeliest first; undefined fields are not sent. */
export function registrationBodies(form: MessageForm, project: string): JsonObject[] {
  if (form.fields !== undefined) return [filled(form.fields, project)];
  const field = (name: string): MessageField => ({
    name,
    required: true,
    type: name === 'intended_endpoints' ? 'array' : 'string',
    values: [],
  });
  const camel = (name: string): string =>
    name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return [SUGGESTED, SUGGESTED.map(camel)].map((names) => filled(names.map(field), project));
}

function filled(fields: readonly MessageField[], project: string): JsonObject {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const name = plainName(field.name);
    if (name.includes('assertion') && !field.required) return [];
    const [, text] = REGISTRATION.find(([pattern]) => pattern.test(name)) ?? [];
    if (text === undefined && !field.required) return [];
    return [[field.name, valueOf(field, text?.(project) ?? 'assay')]];
  });
  return Object.fromEntries(entries);
}

function valueOf({ type, values }: MessageField, text: string): unknown {
  if (values.length > 0) return values.find((value) => value === text) ?? values[0];
  switch (type) {
    case 'integer':
    case 'number':
      return 100;
    case 'boolean':
      return true;
    case 'array':
      return [text];
    case 'object':
      return {};
    default:
      return text;
  }
}

/** What of an answer names a registration, and is not about it. */
const HANDLE = /token|code|secret|id$|handle|ticket/;
const ABOUT = /type|expir|ur[il]$|status|requestid|scope/;

/** More, or longer ones, are nothing that a client keeps. */
const MAX_HANDLES = 50;
const MAX_CHARACTERS = 8_192;

/** The body of a claim: what the registration answered, under the names that the claim has. */
export function claimBody(form: MessageForm, registered: unknown): JsonObject | undefined {
  const handles = textsIn(registered)
    .filter(({ name, text }) => text.length <= MAX_CHARACTERS && isHandle(name))
    .slice(0, MAX_HANDLES);
  if (handles.length === 0) return undefined;
  if (form.fields === undefined) {
    return Object.fromEntries(handles.map(({ name, text }) => [name, text]));
  }
  const entries = form.fields.flatMap((field): [string, string][] => {
    const wanted = plainName(field.name);
    const found =
      handles.find(({ name }) => plainName(name) === wanted) ??
      handles.find(({ name }) => isAlike(plainName(name), wanted));
    return found === undefined ? [] : [[field.name, found.text]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Whether a field of an answer to a registration is what it is claimed with. */
export function isHandle(name: string): boolean {
  return HANDLE.test(plainName(name)) && !ABOUT.test(plainName(name));
}

function isAlike(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}

/** A request of revocation: the body, and whether the key goes as bearer. */
export interface Revocation {
  readonly body: JsonObject;
  readonly asBearer: boolean;
}

/** Ways to revoke a key, the likeliest first (RFC 7009 section 2.1 for a target that states none). */
export function revocations(form: MessageForm, credential: string): Revocation[] {
  const named = form.fields?.filter(({ name }) => /credential|token|key|secret/i.test(name));
  const keys = (named ?? []).filter(({ name }) => !ABOUT.test(plainName(name)));
  const names = keys.length > 0 ? keys.map(({ name }) => name) : ['credential', 'token'];
  const body = Object.fromEntries(names.slice(0, 2).map((name) => [name, credential]));
  const empty = { body: {}, asBearer: true };
  const inBody = { body, asBearer: false };
  return form.fields !== undefined && keys.length === 0 ? [empty] : [inBody, empty];
}

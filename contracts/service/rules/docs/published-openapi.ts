import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
import type { Broken } from '../../../judging/rule.ts';
import { CONTRACT_YAML, parseYaml, YamlProblem } from '../../../document/yaml/yaml.ts';

/** What the text of a published contract turned out to be. */
export interface Published {
  /** The parsed document, where the text is YAML. */
  readonly document?: unknown;
  /** Why it is no valid OpenAPI document; none if it is. */
  readonly faults: readonly Broken[];
  /** Whether it is more than is looked at, so that nothing is known of it. */
  readonly isTooMuch?: true;
}

/** Methods that a path item may have. */
export const METHODS: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
];

const KEPT = 4;
const MAX_FAULTS = 20;
/** The last texts that were read: reading takes long, and in a long run the texts are the same. */
const known = new Map<string, Published>();

/** Reads a published contract; the same text gives the same result. */
export function readPublished(text: string): Published {
  let published = known.get(text);
  if (published === undefined) {
    published = read(text);
    for (const oldest of known.keys()) if (known.size >= KEPT) known.delete(oldest);
    known.set(text, published);
  }
  return published;
}

function read(text: string): Published {
  let document: unknown;
  try {
    document = parseYaml(text, { limits: CONTRACT_YAML });
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    const { message, place, isLimit } = error;
    if (isLimit) return { faults: [], isTooMuch: true };
    const at = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`;
    return { faults: [{ pointer: '', expected: 'a YAML document', actual: `${message}${at}` }] };
  }
  return { document, faults: structureFaults(document).slice(0, MAX_FAULTS) };
}

/** The frame that all tools rely on; schemas are left to those who use them. */
function structureFaults(document: unknown): Broken[] {
  if (!isObject(document)) return [fault('', 'an OpenAPI document', document)];
  const { openapi, swagger, info, paths } = document;
  const isVersion3 = typeof openapi === 'string' && /^3\.\d+(?:\.\d+)?/.test(openapi);
  const faults: Broken[] = [];
  if (!isVersion3 && swagger !== '2.0') {
    faults.push(fault('/openapi', 'a version as a string, such as 3.1.0', openapi));
  }
  for (const field of ['title', 'version']) {
    const value = member(info, field);
    if (typeof value !== 'string') faults.push(fault(`/info/${field}`, 'a string', value));
  }
  if (!isObject(paths)) return [...faults, fault('/paths', 'the paths', paths)];
  const mayLackResponses = typeof openapi === 'string' && !openapi.startsWith('3.0');
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const place = `/paths${pointerStep(path)}`;
    if (!path.startsWith('/')) faults.push(fault(place, 'a path that begins with a slash', path));
    if (!isObject(item)) faults.push(fault(place, 'a path item', item));
    else
      for (const one of itemFaults(place, item, mayLackResponses).slice(0, MAX_FAULTS))
        faults.push(one);
    if (faults.length >= MAX_FAULTS) return faults;
  }
  return [...faults, ...danglingReferences(document)];
}

const STATUS = /^(?:default|[1-5](?:\d\d|XX)|x-.*)$/;

function itemFaults(place: string, item: JsonObject, mayLackResponses: boolean): Broken[] {
  return METHODS.filter((method) => item[method] !== undefined).flatMap((method) => {
    const at = `${place}/${method}`;
    const operation = item[method];
    if (!isObject(operation)) return [fault(at, 'an operation', operation)];
    const { responses } = operation;
    if (responses === undefined && mayLackResponses) return [];
    if (!isObject(responses)) return [fault(`${at}/responses`, 'the responses', responses)];
    return Object.keys(responses)
      .filter((status) => !STATUS.test(status))
      .map((status) => fault(`${at}/responses${pointerStep(status)}`, 'a status', status));
  });
}

function fault(pointer: string, expected: string, value: unknown): Broken {
  const actual = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120);
  return { pointer, expected, actual };
}

/** Members whose own members have any name, so that a `default` there is no value. */
const NAMED: ReadonlySet<string> = new Set(['responses', 'properties', 'schemas']);

/** Members that hold values of the API's own, in which `$ref` means nothing. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

function danglingReferences(document: JsonObject): Broken[] {
  // With $id, references count from elsewhere.
  if (holdsKey(document, '$id')) return [];
  const faults: Broken[] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown, place: string, names = false): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    // YAML aliases make one value stand in several places.
    seen.add(value);
    if (Array.isArray(value)) {
      for (const [index, item] of listOf(value).entries()) walk(item, `${place}/${index}`);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      const at = place + pointerStep(key);
      if (key === '$ref' && typeof item === 'string' && item.startsWith('#/')) {
        if (faults.length < MAX_FAULTS && resolve(document, item) === undefined) {
          faults.push(fault(at, 'a place in it', item));
        }
      } else if (names || !DATA.has(key)) walk(item, at, NAMED.has(key));
    }
  };
  walk(document, '');
  return faults;
}

/** Whether a key stands anywhere in it. */
function holdsKey(value: unknown, wanted: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key === wanted || holdsKey(item, wanted));
}

/** The value that a local reference names, itself perhaps a reference. */
export function resolve(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (holder, step) =>
        Array.isArray(holder) ? listOf(holder)[Number(step)] : member(holder, step),
      document,
    );
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

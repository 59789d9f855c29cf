import type { Contract, ContractOperation } from './schema.ts';
import type { ApiName } from '../wire/exchange.ts';

/** The function that finds the operation of a request. */
export function finder(operations: readonly ContractOperation[]): Contract['find'] {
  const places = new Map<ApiName, Map<string, Places>>();
  for (const operation of operations) {
    const { api, pathTemplate } = operation;
    const method = operation.method.toUpperCase();
    const ofApi = places.get(api) ?? new Map<string, Places>();
    places.set(api, ofApi);
    const ofMethod: Places = ofApi.get(method) ?? { exact: new Map(), templates: [] };
    ofApi.set(method, ofMethod);
    // Of two at one place the later one counts.
    ofMethod.exact.set(pathTemplate, operation);
    if (!pathTemplate.includes('{')) continue;
    ofMethod.templates.push({ operation, test: pathTest(pathTemplate) });
  }
  return (api, method, fullPath) => {
    const ofApi = places.get(api);
    // Most methods are written in capitals; a contract's are.
    const ofMethod = ofApi?.get(method) ?? ofApi?.get(method.toUpperCase());
    if (ofMethod === undefined) return undefined;
    const { exact, templates } = ofMethod;
    // Most paths are whole: one text to look up, whose hash is known from the last time.
    const end = fullPath.search(QUERY);
    const path = end < 0 ? fullPath : fullPath.slice(0, end);
    const found = exact.get(path);
    if (found !== undefined || templates.length === 0) return found;
    const segments = path.split('/');
    return templates.find(({ test }) => test(segments))?.operation;
  };
}

const QUERY = /[?#]/;

/** The operations of one method of an API. */
interface Places {
  readonly exact: Map<string, ContractOperation>;
  readonly templates: { readonly operation: ContractOperation; readonly test: PathTest }[];
}

/** Whether a path, split at its slashes, is one of a template. */
type PathTest = (segments: readonly string[]) => boolean;

/**
 * A test for the paths of a template. Each parameter stands for one or more characters that are no
 * slash. No regular expression: `/{a}{b}{c}` as one takes cubic time.
 */
export function pathTest(template: string): PathTest {
  const wanted = template
    .replaceAll(/\{[^}]*\}/g, '{}')
    .split('/')
    .map((segment) => segment.split('{}'));
  return (segments) =>
    segments.length === wanted.length &&
    segments.every((segment, index) => isSegment(segment, wanted[index] ?? []));
}

/** Whether texts stand in a segment in this order, one or more characters between each two. */
function isSegment(segment: string, texts: readonly string[]): boolean {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  for (const text of others) {
    // The earliest place leaves most for what follows.
    const found = segment.indexOf(text, at + 1);
    if (found < 0) return false;
    at = found + text.length;
  }
  return segment.endsWith(last) && segment.length - last.length > at;
}

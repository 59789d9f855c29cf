import type { Contract, ContractOperation } from './schema.ts';
import type { ApiName } from './wire/exchange.ts';

/** The function that finds the operation of a request. */
export function finder(operations: readonly ContractOperation[]): Contract['find'] {
  const exact = new Map<string, ContractOperation>();
  const templates = new Map<string, { operation: ContractOperation; test: PathTest }[]>();
  for (const operation of operations) {
    const { api, method, pathTemplate } = operation;
    // Of two at one place the later one is meant.
    exact.set(`${keyOf(api, method)} ${pathTemplate}`, operation);
    if (!pathTemplate.includes('{')) continue;
    const key = keyOf(api, method);
    const list = templates.get(key) ?? [];
    list.push({ operation, test: pathTest(pathTemplate) });
    templates.set(key, list);
  }
  return (api, method, fullPath) => {
    const end = fullPath.search(/[?#]/);
    const path = end < 0 ? fullPath : fullPath.slice(0, end);
    const key = keyOf(api, method);
    const found = exact.get(`${key} ${path}`);
    if (found !== undefined) return found;
    const segments = path.split('/');
    return templates.get(key)?.find(({ test }) => test(segments))?.operation;
  };
}

function keyOf(api: ApiName, method: string): string {
  return `${api} ${method.toUpperCase()}`;
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

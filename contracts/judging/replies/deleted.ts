/**
 * Whether a request asks for a thing that was deleted, or for what is below it.
 *
 * @param asked path of the request, with its query
 * @param deleted path by which the thing was deleted, likewise
 */
export function asksForDeleted(asked: string, deleted: string): boolean {
  return `${withoutQuery(asked)}/`.startsWith(`${withoutQuery(deleted)}/`);
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? '';
}

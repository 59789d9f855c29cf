/**
 * A number from 0 to 1 for an exchange, by its id alone: the same id is chosen in every run, and who
 * is chosen at a share is chosen at every larger one.
 */
export function luckOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  }
  // Ids count up, and FNV alone leaves neighbours near each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x100000000;
}

/** Names that only the owner of a machine or a test gives (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:localhost|invalid|test|example)$/;
const LOOPBACK = /^127\.\d+\.\d+\.\d+$/;

/** Whether a URL is of a service of one's own, at which more may be done than elsewhere. */
export function isOwn(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === '[::1]' || LOOPBACK.test(hostname) || RESERVED.test(hostname);
}

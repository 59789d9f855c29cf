/**
 * A text as part of an address (RFC 3986 section 2.1). Half a character, which no address can hold, is
 * written as U+FFFD, the character for one that is unknown.
 */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}

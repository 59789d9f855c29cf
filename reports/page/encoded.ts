/** A text as part of an address; half a character, which no address can hold, is shown as one that is unknown. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}

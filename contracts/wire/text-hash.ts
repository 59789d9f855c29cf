/** 53 bits of two hashes of a text by Fowler, Noll and Vo; two in 10¹² others share one. */
export function hashOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995);
  }
  return (one >>> 0) * 0x20_0000 + (other >>> 11);
}

/**
 * How many standard errors Student's distribution keeps a mean within, with a confidence: 2.093 with 19
 * degrees of freedom and 0.95 (G. W. Hill, "Algorithm 396", Communications of the ACM 13, 1970; right to
 * four digits from 3 degrees on).
 *
 * @param degrees at least 3
 * @param confidence two-sided, from 0.5 to 0.999999
 */
export function studentBound(degrees: number, confidence: number): number {
  const p = 1 - confidence;
  const n = degrees;
  const a = 1 / (n - 0.5);
  const b = 48 / (a * a);
  const c = ((20700 * a) / b - 98) * a - 16;
  const c1 = c * a + 96.36;
  const d = ((94.5 / (b + c1) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  const y = (d * p) ** (2 / n);
  if (y > 0.05 + a) {
    const x = normalBound(p / 2);
    const square = x * x;
    const c2 = n < 5 ? c1 + 0.3 * (n - 4.5) * (x + 0.6) : c1;
    const c3 = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c2;
    const root =
      (((((0.4 * square + 6.3) * square + 36) * square + 94.5) / c3 - square - 3) / b + 1) * x;
    return Math.sqrt(n * Math.expm1(a * root * root));
  }
  const rest =
    ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) *
      ((n + 1) / (n + 2)) +
    1 / y;
  return Math.sqrt(n * rest);
}

/**
 * What a standard normal value stays below with a probability of at most a half, within 0.00045
 * (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.2.23).
 */
function normalBound(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return above / below - t;
}

/**
 * The probability that a standard normal value exceeds another, within 1e-7
 * (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.2.17).
 */
export function normalProbabilityAbove(value: number): number {
  if (value < 0) return 1 - normalProbabilityAbove(-value);
  const t = 1 / (1 + 0.2316419 * value);
  const sum =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (sum * Math.exp((-value * value) / 2)) / Math.sqrt(2 * Math.PI);
}

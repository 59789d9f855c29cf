/**
 * For tests of Vitest: a suite in which each rule is a test, and matchers: `expect.extend(matchers)`, then
 * `await expect(response).toConform(…)`. Nothing of Vitest is loaded before a suite is declared, so that the matchers
 * serve whatever test runner somebody has.
 */

// For the types alone: without it there would be no module to add to.
import type {} from 'vitest';
import { type ConformOptions, conforming } from './conforming.ts';
import { contractOf } from './judge-exchanges.ts';

export { conformanceSuite, type SuiteOptions } from './conformance-suite.ts';
export type { FailOn } from '../../contracts/judging/rule-choice.ts';
export type { ConformOptions } from './conforming.ts';
export type { MockedAnswer } from './answer-given.ts';
export type { WrittenRequest } from './written-request.ts';

/** What the matchers add to `expect`. */
export interface AssayMatchers<R = unknown> {
  /**
   * Whether an answer keeps what the interface document promises of it. Takes a `Response`, an exchange, a
   * mocked answer `{ status, headers, body }`, or the JSON of a success. Await it.
   *
   * It fails with the broken rules, and throws if nothing says what was asked or no rule speaks of the
   * answer: silence is not success.
   */
  toConform(options?: ConformOptions): R;
}

declare module 'vitest' {
  // The parameters must be those of the interface that this adds to.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any, @typescript-eslint/no-empty-object-type
  interface Matchers<T = any> extends AssayMatchers<Promise<void>> {}
}

// The contract is read while tests are collected: it takes a second on a busy machine, and tests have few. What is wrong
// with it is said to whoever asks. Not awaited, which a CommonJS module cannot.
contractOf().catch(() => undefined);

/** What vitest takes from a matcher. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers, for `expect.extend`. */
export const matchers: {
  readonly toConform: (received: unknown, options?: ConformOptions) => Promise<Matched>;
} = {
  async toConform(received, options) {
    const { conforms, message } = await conforming(received, options);
    return { pass: conforms, message: () => message };
  },
};

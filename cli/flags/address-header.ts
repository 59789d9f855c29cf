import { UsageError } from '../exit-code.ts';

/** Fields that requests have for something else. */
const TAKEN =
  /^(?:host|connection|te|trailer|upgrade|expect|accept|authorization|cookie|idempotency-key|(?:content|transfer|proxy)-.*)$/;

/**
 * The name of the header field in which a client's address stands, in small letters.
 *
 * @throws UsageError when it is none, or requests have it for something else
 */
export function addressHeaderOf(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z][a-z0-9-]{0,63}$/.test(name) && !TAKEN.test(name)) return name;
  throw new UsageError(
    `--address-header takes the name of a header field that nothing else uses, such as X-Client-Address, not "${text.slice(0, 100)}"`,
  );
}

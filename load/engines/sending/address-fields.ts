import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import type { Scenario } from '../../scenarios/scenario.ts';

/**
 * The fields in which clients name their addresses, which are those for measurements (RFC 2544).
 *
 * @param name of the header field that the target believes; no client names its address without
 */
export function addressFields(
  { kind, count }: Scenario['clients'],
  name: string | undefined,
): HeaderList {
  if (kind !== 'addresses' || name === undefined) return [];
  return Array.from({ length: count }, (_, client) => [
    name,
    `198.18.${Math.floor(client / 250)}.${(client % 250) + 1}`,
  ]);
}

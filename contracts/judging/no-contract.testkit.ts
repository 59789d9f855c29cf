import type { Contract } from '../document/schema.ts';
import { PLAIN_ERRORS } from '../wire/error-reading.ts';

/** A contract that states nothing. */
export const NO_CONTRACT: Pick<Contract, 'find' | 'errors'> = {
  find: () => undefined,
  errors: PLAIN_ERRORS,
};

import { MendableError } from '../../contracts/wire/mendable-error.ts';

/** Thrown when what the runs say in the shortest way does not fit into the bytes of a page. */
export class PageTooLarge extends MendableError {
  override readonly name = 'PageTooLarge';
}

import type { Observer } from '../judging/ledger.ts';

/**
 * Two observers as one; of an operation that both know the added one speaks.
 *
 * @returns undefined if they do not fill the same row in the same way
 */
export function joinedOf(known: Observer, added: Observer): Observer | undefined {
  const isSame =
    known.clause === added.clause && known.api === added.api && known.answer === added.answer;
  if (!isSame) return undefined;
  const isOf = ({ operations }: Observer, id: string): boolean =>
    operations === '*' || operations.includes(id);
  return {
    ...known,
    operations:
      known.operations === '*' || added.operations === '*'
        ? '*'
        : [...new Set([...known.operations, ...added.operations])],
    observe: (view) => {
      const id = view.operation?.id ?? '';
      if (isOf(added, id)) return added.observe(view);
      return isOf(known, id) ? known.observe(view) : [];
    },
  };
}

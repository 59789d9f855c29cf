import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

const FEW = 3;

/** The beginning of a list, and the rest when it is asked for. */
export function Beginning<T>({
  of: items,
  most,
  noun,
  isList,
  children,
}: {
  readonly of: readonly T[];
  readonly most: number;
  readonly noun: string;
  /** Whether each is an item of a list, in which nothing else may stand. */
  readonly isList?: boolean;
  readonly children: (item: T, at: number) => ComponentChildren;
}): VNode {
  const [asked, setAsked] = useState(most);
  // A button takes as much room as the last few.
  const shown = items.length <= asked + FEW ? items.length : asked;
  const left = items.length - shown;
  const more = (
    <button
      type="button"
      class="more"
      onClick={() => {
        setAsked(asked + 10 * most);
      }}
    >
      Show {Math.min(left, 10 * most)} of {left} more {noun}
    </button>
  );
  return (
    <>
      {items.slice(0, shown).map(children)}
      {left <= 0 ? null : isList === true ? <li>{more}</li> : more}
    </>
  );
}

import type { ComponentChildren, Context, VNode } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

/** Whether the page is being printed: what a reader would open stands open then. */
export const Printing: Context<boolean> = createContext(false);

interface FoldProps {
  readonly summary: ComponentChildren;
  /** Made when it is first opened. */
  readonly children: () => ComponentChildren;
  readonly isOpen?: boolean;
  /** Whether it stands open in print. */
  readonly prints?: boolean;
  /** A place that links lead to: it opens then. */
  readonly id?: string;
  readonly class?: string;
}

/** Something that can be opened. */
export function Fold({ summary, children, isOpen, prints, id, class: name }: FoldProps): VNode {
  const [open, setOpen] = useState(isOpen === true);
  const printing = useContext(Printing);
  const shown = open || (printing && prints === true);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    setOpen(isOpen === true);
  }, [isOpen]);
  useEffect(() => {
    if (id === undefined) return undefined;
    const look = (): void => {
      if (decodeURIComponent(location.hash.slice(1)) !== id) return;
      setOpen(true);
      // Once what is above has its height.
      requestAnimationFrame(() => details.current?.scrollIntoView());
    };
    look();
    addEventListener('hashchange', look);
    return () => {
      removeEventListener('hashchange', look);
    };
  }, [id]);
  return (
    <details
      ref={details}
      open={shown}
      {...(id === undefined ? {} : { id })}
      {...(name === undefined ? {} : { class: name })}
      onToggle={(event) => {
        if (!printing) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {shown ? children() : null}
    </details>
  );
}

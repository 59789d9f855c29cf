/** Small parts that all others are made of. */

import type { ComponentChildren, Context, VNode } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Verdict } from '../../contracts/run/run.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';

/** Whether the page is being printed: what a reader would open stands open then. */
export const Printing: Context<boolean> = createContext(false);

/** A verdict by symbol and word, and by colour on top. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): VNode {
  const { symbol, word } = VERDICT_WORDS[verdict];
  return (
    <span class={`verdict v-${verdict}`}>
      <span class="symbol" aria-hidden="true">
        {symbol}
      </span>{' '}
      {word}
    </span>
  );
}

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

/** What ends a text of which only the beginning is here. */
const CUT_END = /… \(\d+ characters in all\)$/;

/** A line for a shell, to be copied. */
export function Command({ label, text }: { readonly label: string; readonly text: string }): VNode {
  const isCut = CUT_END.test(text);
  return (
    <div class="command">
      <div class="command-head">
        <span>{label}</span>
        {isCut ? (
          <span class="dim">too long for this page: run.json has it</span>
        ) : (
          <Copy text={text} what={label} />
        )}
      </div>
      <pre>{text}</pre>
    </div>
  );
}

/** Copies a text, and says that it did. */
function Copy({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => {
      setSaid('');
    }, 2_000);
    return () => {
      clearTimeout(timer);
    };
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setSaid('Copied');
      },
      () => {
        setSaid('Select it and press Ctrl+C');
      },
    );
  };
  return (
    <span class="copy">
      <span role="status">{said}</span>
      <button type="button" onClick={copy} aria-label={`Copy: ${what}`}>
        Copy
      </button>
    </span>
  );
}

/** Labels and what stands beside them. */
export function Fields({
  rows,
}: {
  readonly rows: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="fields">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A part of the page with its heading. */
export function Part({
  id,
  title,
  note,
  aside,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  /** Beside the heading. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section id={id}>
      <div class="titled">
        <h2>{title}</h2>
        {aside}
      </div>
      {note === undefined ? null : <p class="note">{note}</p>}
      {children}
    </section>
  );
}

/** A wide thing that is moved sideways where it has no room. */
export function Wide({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    // What can be moved must be reached with keys.
    <div class="wide" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

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

/** Small parts that all others are made of. */

import type { ComponentChildren, VNode } from 'preact';
import type { Verdict } from '../../contracts/run/run.ts';
import { VERDICT_WORDS } from '../verdict-words.ts';

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

/** A wide thing that is moved sideways if it has no room. */
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

/** What the service does where the document is silent, and what of it differs in the baseline. */

import type { VNode } from 'preact';
import type { LedgerRow } from '../../contracts/run/run.ts';
import type { PageRun, PageUnspecified } from '../html/html-data.ts';
import { Part } from './basics.tsx';
import { Beginning } from './beginning.tsx';

const UNSPECIFIED =
  'Nothing is promised here and nothing judged: this is what the service was seen to do.';

interface LedgerProps {
  readonly run: PageRun;
  /** The rows that the reader wants to see. */
  readonly rows: readonly LedgerRow[];
  readonly place: string;
}

/** The rows of which the baseline saw something else come first. */
export function Ledger({ run, rows, place }: LedgerProps): VNode | null {
  if (rows.length === 0) return null;
  const { otherUnspecified: others } = run;
  const other = ({ id }: LedgerRow): PageUnspecified | undefined =>
    others !== undefined && Object.hasOwn(others, id) ? others[id] : undefined;
  const inOrder = [...rows.filter(other), ...rows.filter((row) => other(row) === undefined)];
  const count = rows.filter(other).length;
  return (
    <Part
      id={`${place}-unspecified`}
      title="Where the document is silent"
      note={noteOf(run, count)}
    >
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Unspecified</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {inOrder.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <span class="id">{row.id}</span>
                <span class="dim"> {row.clause}</span>
              </th>
              <td>
                <Seen row={row} other={other(row)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function noteOf({ otherUnspecified: others }: PageRun, count: number): string {
  if (others === undefined) return UNSPECIFIED;
  return count === 0
    ? `${UNSPECIFIED} The baseline saw the same.`
    : `${UNSPECIFIED} Of the first ${count === 1 ? 'one' : count} the baseline saw something else.`;
}

/** What was seen: what is new first, what the baseline alone saw last. */
function Seen({
  row: { observed },
  other: { came, went } = { came: [], went: [] },
}: {
  readonly row: LedgerRow;
  readonly other: PageUnspecified | undefined;
}): VNode {
  const isNew = new Set(came);
  const inOrder = [
    ...observed.filter((text) => isNew.has(text)),
    ...observed.filter((text) => !isNew.has(text)),
  ];
  return (
    <ul class="plain">
      <Beginning of={inOrder} most={4} noun="observations" isList>
        {(text, at) => (
          <li key={at}>
            {isNew.has(text) ? <strong class="v-warn">in this run alone: </strong> : null}
            {text}
          </li>
        )}
      </Beginning>
      <Beginning of={went} most={4} noun="observations of the baseline" isList>
        {(text, at) => (
          <li key={`went-${at}`} class="dim">
            <strong>in the baseline alone: </strong>
            {text}
          </li>
        )}
      </Beginning>
    </ul>
  );
}

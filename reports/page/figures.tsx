/** Tables of figures. */

import type { VNode } from 'preact';

/** Names of columns, those of figures to the right. */
export function Head({ names }: { readonly names: readonly string[] }): VNode {
  const [first, ...others] = names;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {others.map((name, at) => (
          <th key={at} scope="col" class="number">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A row of figures. */
export function Cells({
  name,
  cells,
}: {
  readonly name: string;
  readonly cells: readonly string[];
}): VNode {
  return (
    <tr>
      <th scope="row" class="id">
        {name}
      </th>
      {cells.map((cell, at) => (
        <td key={at} class="number">
          {cell}
        </td>
      ))}
    </tr>
  );
}

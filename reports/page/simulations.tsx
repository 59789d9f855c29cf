import type { VNode } from 'preact';
import type { RunJson } from '../../contracts/run/run.ts';
import type { RunSimulation } from '../../contracts/run/run-simulation.ts';
import { simulationWords } from '../simulation-words.ts';
import { Part, Wide } from './basics.tsx';
import { Beginning } from './beginning.tsx';

const COLUMNS = ['Who', 'Token', 'Promised', 'Changed by'];

/** Builds that nodes have executed: who got how much of what, beside what was promised. */
export function Simulations({
  run,
  place,
}: {
  readonly run: RunJson;
  readonly place: string;
}): VNode | null {
  const { simulations: rows = [] } = run;
  if (rows.length === 0) return null;
  const broken = rows.filter(
    ({ changes, isDismissed }) =>
      isDismissed !== true && changes.some(({ isKept }) => isKept === false),
  );
  const sorted = [...broken, ...rows.filter((row) => !broken.includes(row))];
  return (
    <Part id={`${place}-simulated`} title="Executed on nodes" note={simulationWords(run)}>
      <Beginning of={sorted} most={12} noun="builds">
        {(row) => <Simulation key={row.exchanges[0]} row={row} />}
      </Beginning>
    </Part>
  );
}

function Simulation({ row }: { readonly row: RunSimulation }): VNode {
  const { api, chainId, result, why, exchanges, changes, isDismissed } = row;
  const broken = isDismissed === true ? 'v-inconclusive' : 'v-fail';
  const [build = ''] = exchanges;
  const title = `${api} build ${build} on chain ${chainId}`;
  const verdict =
    result === 'succeeded' ? 'v-pass' : result === 'failed' ? broken : 'v-inconclusive';
  return (
    <article class="limit">
      <h3>
        {title}: <span class={verdict}>{result}</span>
        {why === undefined ? null : `, ${why}`}
      </h3>
      {isDismissed === true ? (
        <p>
          What is wrong with it does not count: fewer than two of the builds of its request show it.
        </p>
      ) : null}
      {changes.length === 0 ? null : (
        <Wide label={`Balance changes of ${title}`}>
          <table class="figures">
            <thead>
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.map(({ who, holder, token, promised, changed, isKept }, at) => (
                <tr key={at}>
                  <th scope="row">
                    {who} <span class="id">{holder}</span>
                  </th>
                  <td class="id">{token}</td>
                  <td>{promised}</td>
                  <td class={isKept === undefined ? 'v-inconclusive' : isKept ? 'v-pass' : broken}>
                    {changed}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </article>
  );
}

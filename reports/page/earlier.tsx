/** What was known before the run: counterexamples of earlier ones, and failures that are accepted. */

import type { VNode } from 'preact';
import type { RegressionRow, RunJson } from '../../contracts/run/run.ts';
import { Part, VerdictBadge } from './basics.tsx';
import { Fold } from './fold.tsx';

/** Failures that the run accepted, by whom and until when. */
export function Waivers({
  run,
  place,
}: {
  readonly run: RunJson;
  readonly place: string;
}): VNode | null {
  const { waivers = [], rules } = run;
  if (waivers.length === 0) return null;
  return (
    <Part id={`${place}-waivers`} title="Waivers" note="Known failures that the run accepted.">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Why, whose, until when</th>
          </tr>
        </thead>
        <tbody>
          {waivers.map(({ rule, operation, reason, owner, expires }, at) => {
            const verdict = rules.find(({ id }) => id === rule)?.verdict;
            return (
              <tr key={at}>
                <th scope="row">
                  <span class="id">{rule}</span>{' '}
                  {operation === undefined ? null : `at ${operation} `}
                  {verdict === undefined ? 'not judged' : <VerdictBadge verdict={verdict} />}
                </th>
                <td>
                  {reason}{' '}
                  <span class="dim">
                    ({owner}, until {expires})
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Part>
  );
}

/** What became of counterexamples of earlier runs. */
export function Regressions({
  rows,
  place,
}: {
  readonly rows: readonly RegressionRow[];
  readonly place: string;
}): VNode | null {
  if (rows.length === 0) return null;
  const shown = rows.filter(({ verdict }) => verdict === 'shown').length;
  const gone = rows.filter(({ verdict }) => verdict === 'not-shown').length;
  const open = rows.length - shown - gone;
  const others = open === 0 ? '' : ` Of ${open} nothing can be said.`;
  return (
    <Part
      id={`${place}-earlier`}
      title="Earlier counterexamples"
      note={`${shown} of ${rows.length} still show, ${gone} no longer do.${others}`}
    >
      <Fold class="line" isOpen={shown + open > 0} summary="Each of them">
        {() => (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Rule</th>
                <th scope="col">Now</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, rule, verdict, reason }) => (
                <tr key={name}>
                  <th scope="row" class="id">
                    {name}
                  </th>
                  <td class="id">{rule}</td>
                  <td>
                    {verdict}
                    {reason === undefined ? '' : `: ${reason}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Fold>
    </Part>
  );
}

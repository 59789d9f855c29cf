/** A run among earlier ones of the same kind and target: rules, latency, limits, unspecified clauses. */

import type { VNode } from 'preact';
import type { PageHistory, PageRun } from '../html/html-data.ts';
import { Part, Wide } from './basics.tsx';
import { Fold } from './fold.tsx';
import { grouped } from './exchange.tsx';
import { Remarks } from './tables.tsx';
import { Plot } from './limits.tsx';
import { ms } from './latencies.tsx';

/** What changed over the runs. */
export function History({
  run,
  place,
}: {
  readonly run: PageRun;
  readonly place: string;
}): VNode | null {
  const { history } = run;
  if (history === undefined) return null;
  const { note, notes, rules, latencies, limits, ledger, varying } = history;
  return (
    <Part id={`${place}-history`} title="Over the runs" note={note}>
      <Remarks of={notes.map((text) => ['·', text] as const)} />
      <h3>Rules</h3>
      {rules.rows.length === 0 ? (
        <p class="note">No rule was broken in any of these runs, and none is reached no longer.</p>
      ) : (
        <Bounded {...rules} />
      )}
      <Plot of="history-rules" run={run} />
      <Fold class="line" summary="Each run" prints>
        {() => (
          <Wide label="Runs of the history">
            <Runs rows={history.runs} />
          </Wide>
        )}
      </Fold>
      {limits.length === 0 ? null : <h3>Rate limits</h3>}
      <Plot of="history-limits" run={run} />
      {limits.map(({ title, rows, more }) => (
        <div key={title}>
          <h4>{title}</h4>
          <Bounded {...{ rows, more }} />
        </div>
      ))}
      {latencies.length === 0 ? null : (
        <>
          <h3>Latency</h3>
          <Plot of="history-latency" run={run} />
          <Fold class="line" summary="Each operation" prints>
            {() => (
              <Wide label="Latency over the runs">
                <Latency rows={latencies} />
              </Wide>
            )}
          </Fold>
        </>
      )}
      {ledger.rows.length === 0 && varying === undefined ? null : (
        <h3>Where the document is silent</h3>
      )}
      <Bounded {...ledger} />
      {varying === undefined ? null : <p class="note">{varying}</p>}
    </Part>
  );
}

function Bounded({ rows, more }: PageHistory['rules']): VNode {
  return (
    <>
      <Remarks of={rows} />
      {more === 0 ? null : <p class="note">and {more} more</p>}
    </>
  );
}

function Runs({ rows }: { readonly rows: PageHistory['runs'] }): VNode {
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">began, UTC</th>
          <th scope="col">outcome</th>
          {['broken', 'waived', 'not reached', 'judged'].map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
          <th scope="col">labels</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            <th scope="row" class="id">
              {row.name}
            </th>
            <td>{row.startedAt}</td>
            <td>
              {WORDS[row.symbol]}
              {row.isComplete ? '' : ', cut short'}
            </td>
            {[row.broken, row.waived, row.notReached, row.judged].map((value, cell) => (
              <td key={cell} class="number">
                {value === 0 ? '–' : grouped(value)}
              </td>
            ))}
            <td>{row.labels}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WORDS = { '✓': '✓ conforms', '✗': '✗ does not conform', '?': '? undecided' } as const;

function Latency({ rows }: { readonly rows: PageHistory['latencies'] }): VNode {
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          {[
            'answers now',
            'p50 now',
            'p95 now',
            'p95 before: least',
            'median',
            'greatest',
            'runs',
          ].map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ operation, answers, p50Ms, p95Ms, before, runs }) => (
          <tr key={operation}>
            <th scope="row" class="id">
              {operation}
            </th>
            <td class="number">{grouped(answers)}</td>
            {[p50Ms, p95Ms, before?.least, before?.middle, before?.greatest].map((value, at) => (
              <td key={at} class="number">
                {value === undefined ? '–' : ms(value)}
              </td>
            ))}
            <td class="number">{grouped(runs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

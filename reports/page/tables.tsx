/** Parts of the page that are lists of what was measured or seen. */

import type { VNode } from 'preact';
import type { LatencyRow, RunRuleRow } from '../../contracts/run/run.ts';
import type { PagePlot, PageRun, Remark } from '../html/html-data.ts';
import { Beginning, Fields, Part, VerdictBadge, Wide } from './basics.tsx';
import { encoded } from './encoded.ts';
import { grouped } from './exchange.tsx';

/** Rules without a verdict, by why. */
export function NotReached({
  rules,
  place,
}: {
  readonly rules: readonly RunRuleRow[];
  readonly place: string;
}): VNode | null {
  const groups = new Map<string, RunRuleRow[]>();
  for (const rule of rules) {
    if (rule.verdict !== 'not-reached' && rule.verdict !== 'inconclusive') continue;
    const why = rule.reason ?? 'no reason was recorded';
    const key = `${rule.verdict}\n${rule.needs === undefined ? why : `${why}; it needs ${rule.needs}`}`;
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  if (groups.size === 0) return null;
  return (
    <Part
      id={`${place}-not-reached`}
      title="Not reached"
      note="These rules have neither passed nor failed, for want of evidence."
    >
      <ul class="reasons">
        {[...groups].map(([key, some]) => (
          <li key={key}>
            <VerdictBadge verdict={some[0]?.verdict ?? 'not-reached'} />{' '}
            <strong>{some.length}</strong>: {key.slice(key.indexOf('\n') + 1)}
            <ul class="ids">
              <Beginning of={some} most={12} noun="rules" isList>
                {({ id }) => (
                  <li key={id} class="id">
                    {id}
                  </li>
                )}
              </Beginning>
            </ul>
          </li>
        ))}
      </ul>
    </Part>
  );
}

const BAR_WIDTH = 160;

/** How long each operation took. */
export function Latencies({
  rows,
  place,
}: {
  readonly rows: readonly LatencyRow[];
  readonly place: string;
}): VNode | null {
  if (rows.length === 0) return null;
  const most = rows.reduce((max, { p95Ms }) => Math.max(max, p95Ms), 1e-6);
  const sorted = rows.toSorted((a, b) => b.p95Ms - a.p95Ms);
  return (
    <Part
      id={`${place}-latency`}
      title="Latency"
      note="Milliseconds from sending to the end of the answer, the slowest operation first."
    >
      <Wide label="Latency by operation">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {['answers', 'p50', 'p95', 'p99', 'worst'].map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <td class="glyph">p50 and p95</td>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ operation, count, p50Ms, p95Ms, p99Ms, worstMs }) => (
              <tr key={operation}>
                <th scope="row" class="id">
                  {operation}
                </th>
                <td class="number">{grouped(count)}</td>
                {[p50Ms, p95Ms, p99Ms, worstMs].map((value, at) => (
                  <td key={at} class="number">
                    {ms(value)}
                  </td>
                ))}
                <td class="glyph">
                  <svg width={BAR_WIDTH} height={10} aria-hidden="true">
                    <rect class="p95" x={0} y={2} height={6} width={(BAR_WIDTH * p95Ms) / most} />
                    <rect class="p50" x={0} y={2} height={6} width={(BAR_WIDTH * p50Ms) / most} />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </Part>
  );
}

/** `0.8`, `12.3`, `1,204`. */
export function ms(value: number): string {
  return value < 100 ? value.toFixed(1) : grouped(Math.round(value));
}

/** Rate limits as they were measured. */
export function Limits({
  run,
  place,
}: {
  readonly run: PageRun;
  readonly place: string;
}): VNode | null {
  if (run.limits.length === 0) return null;
  return (
    <Part id={`${place}-limits`} title="Rate limits">
      {run.limits.map(({ title, verdict, fields }, at) => (
        <article key={at} class="limit">
          <h3>
            {title}:{' '}
            <span class={verdict === 'identified' ? 'v-pass' : 'v-inconclusive'}>{verdict}</span>
          </h3>
          <Fields rows={fields} />
        </article>
      ))}
      <Plot of="limits" run={run} />
    </Part>
  );
}

/** A plot, if there is one: an image, in which nothing can be run or fetched. */
export function Plot({
  of: kind,
  run,
}: {
  readonly of: PagePlot['of'];
  readonly run: PageRun;
}): VNode | null {
  const plot = run.plots.find((one) => one.of === kind);
  if (plot === undefined) return null;
  return (
    <Wide label={`Plot of ${kind}`}>
      <img class="plot" alt={plot.alt} src={`data:image/svg+xml,${encoded(plot.svg)}`} />
    </Wide>
  );
}

/** Sentences with their symbols. */
export function Remarks({ of: remarks }: { readonly of: readonly Remark[] }): VNode | null {
  if (remarks.length === 0) return null;
  const verdicts: Readonly<Record<string, string>> = {
    '✗': 'v-fail',
    '✓': 'v-pass',
    '!': 'v-warn',
  };
  return (
    <ul class="remarks">
      {remarks.map(([symbol, text], at) => (
        <li key={at}>
          <span class={`symbol ${verdicts[symbol] ?? 'dim'}`}>{symbol}</span> {text}
        </li>
      ))}
    </ul>
  );
}

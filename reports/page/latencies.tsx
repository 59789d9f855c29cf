import type { VNode } from 'preact';
import type { LatencyRow } from '../../contracts/run/run.ts';
import { Part, Wide } from './basics.tsx';
import { grouped } from './exchange.tsx';

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

import type {
  LatencySummary,
  LoadMachine,
  LoadRow,
  LoadRound,
} from '../../contracts/run/load/load-run.ts';
import type { Night, NightLoad } from './night.ts';

/** Latencies all in proportion to one: p50 is it, p95 twice, p99 three times. */
export function latencyOf(ms: number, count = 10_000): LatencySummary {
  return { count, p50Ms: ms, p95Ms: 2 * ms, p99Ms: 3 * ms, p999Ms: 4 * ms, worstMs: 5 * ms };
}

function rowOf(ms: number): LoadRow {
  const counts = {
    offered: 10_000,
    sent: 10_000,
    served: 10_000,
    errors: 0,
    throttled: 0,
    failed: 0,
  };
  return { counts, latency: latencyOf(ms), histogram: '' };
}

/** What all those runs were sent from, if they do not say otherwise. */
export const MACHINE: LoadMachine = {
  platform: 'linux',
  arch: 'x64',
  cpuModel: 'A CPU',
  cores: 4,
  memoryBytes: 8_000_000_000,
  node: 'v20.20.0',
};

/** The `load` of a run whose answers took so long. */
export function loadOf(ms: number, changes: Partial<NightLoad> = {}): NightLoad {
  return {
    scenario: 'average',
    engine: { name: 'open-loop', version: '7.30.2' },
    whole: rowOf(ms),
    steps: [
      {
        ...rowOf(ms),
        name: 'hold 100/s',
        beginsSeconds: 0,
        seconds: 100,
        offeredPerSecond: 100,
        admittedPerSecond: 100,
        judged: 10_000,
        violations: 0,
      },
    ],
    operations: [{ ...rowOf(ms), operation: 'a.one', api: 'zap' }],
    moments: [],
    invalid: [],
    machine: MACHINE,
    ...changes,
  };
}

/** Night `at` from 1 January on; its record is named by its day. */
export function nightOf(at: number, load: NightLoad): Night {
  const startedAt = new Date(Date.UTC(2026, 0, 1 + at, 2)).toISOString();
  return {
    run: startedAt.slice(0, 10),
    id: `id ${at}`,
    startedAt,
    complete: true,
    tool: '1.0.0',
    target: { kind: 'remote', urls: { zap: 'https://zap.example' } },
    load,
  };
}

/** Rounds of target and control, milliseconds each. */
export function roundsOf(
  rounds: readonly (readonly [target: number, control: number])[],
): LoadRound[] {
  return rounds.map(([target, control]) => ({
    target: latencyOf(target),
    control: latencyOf(control),
  }));
}

/** What run.json holds of a night. */
export function runOf({ id, startedAt, complete, tool, target, load }: Night): object {
  return { startedAt, complete, tool: { version: tool }, record: { id }, target, load };
}

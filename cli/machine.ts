import os from 'node:os';
import type { LoadMachine } from '../contracts/run/load/load-run.ts';

/** What latencies depend on besides the service. */
export function machineFacts(): LoadMachine {
  const [first] = os.cpus();
  const [loadAverage = 0] = os.loadavg();
  return {
    platform: os.platform(),
    arch: os.arch(),
    cpuModel: (first?.model ?? '').trim(),
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    node: process.versions.node,
    // Windows has none, which reads as 0.
    ...(os.platform() === 'win32' ? {} : { loadAverage: Math.round(100 * loadAverage) / 100 }),
  };
}

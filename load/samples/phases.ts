import type { LoadPhases } from '../../contracts/run/load/load-run.ts';
import type { Sample } from '../load-sink.ts';
import { LatencyHistogram } from './latency-histogram.ts';

const PHASES = ['waiting', 'firstByte', 'download'] as const;

/** What the latencies of answered requests are made of; of two digits, as nothing is decided by it. */
export class PhaseAccumulator {
  readonly #of = {
    waiting: LatencyHistogram.create(2),
    firstByte: LatencyHistogram.create(2),
    download: LatencyHistogram.create(2),
  };
  #receivedBytes = 0;

  add({ calledMs, wireMs, firstByteMs, endMs, receivedBytes = 0 }: Sample): void {
    if (wireMs === undefined || firstByteMs === undefined) return;
    this.#of.waiting.record(wireMs - calledMs);
    this.#of.firstByte.record(firstByteMs - wireMs);
    this.#of.download.record(endMs - firstByteMs);
    this.#receivedBytes += receivedBytes;
  }

  merge(other: PhaseAccumulator): void {
    for (const phase of PHASES) this.#of[phase].add(other.#of[phase]);
    this.#receivedBytes += other.#receivedBytes;
  }

  row(): LoadPhases {
    const { waiting, firstByte, download } = this.#of;
    return {
      waiting: waiting.summary(),
      firstByte: firstByte.summary(),
      download: download.summary(),
      receivedBytes: this.#receivedBytes,
    };
  }
}

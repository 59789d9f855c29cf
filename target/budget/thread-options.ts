import process from 'node:process';
import type { WorkerOptions } from 'node:worker_threads';

/** Most objects live for one exchange; a larger young heap saves no time, and is never given back. */
const YOUNG_HEAP_MB = 8;

/** Whether DEBUG asks where Assay fails. Each file is then loaded with its map, so that traces name lines of sources. */
export function wantsTraces(): boolean {
  const { DEBUG } = process.env;
  return DEBUG !== undefined && DEBUG !== '';
}

/**
 * What each thread of Assay is started with.
 *
 * @param heapMb what its objects may take; more ends it, and leaves the rest of the process as it is
 */
export function threadOptions(heapMb: number): WorkerOptions {
  return {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    ...(wantsTraces() ? { execArgv: ['--enable-source-maps'] } : {}),
  };
}

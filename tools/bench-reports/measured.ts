/** Loaded into a child process before its own program: writes what it took to descriptor 3 when it ends. */

import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load it as well, and the figures are of the whole process.
if (isMainThread) process.on('exit', report);

function report(): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const taken = { peakBytes: maxRSS * 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(3, JSON.stringify(taken));
}

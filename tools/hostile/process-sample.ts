import { readdirSync, readFileSync } from 'node:fs';

/** How a thread spent its time. */
export interface ThreadTimes {
  readonly busySeconds: number;
  /** It had work, and no processor. */
  readonly starvedSeconds: number;
}

/** What is seen of a process and of all that it started. */
export interface Sample {
  /** Peaks of resident memory, added up; undefined if the system does not say. */
  readonly megabytes: number | undefined;
  /** Its threads, by id. */
  readonly threads: ReadonlyMap<string, ThreadTimes>;
}

/** Looks at a process by way of /proc; elsewhere nothing is seen. */
export function sampleOf(pid: number): Sample {
  const waiting = [pid];
  const threads = new Map<string, ThreadTimes>();
  let megabytes: number | undefined;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const peak = peakOf(next);
    if (peak !== undefined) megabytes = (megabytes ?? 0) + peak;
    for (const thread of threadsOf(next)) {
      threads.set(thread, timesOf(next, thread));
    }
    waiting.push(...childrenOf(next));
  }
  return { megabytes, threads };
}

function peakOf(pid: number): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]) / 1024;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The first numbers of `schedstat`: nanoseconds on a processor, and waiting for one. */
function timesOf(pid: number, thread: string): ThreadTimes {
  const [busy = '0', waited = '0'] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
  return { busySeconds: Number(busy) / 1e9, starvedSeconds: Number(waited) / 1e9 };
}

function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(/\s+/).map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

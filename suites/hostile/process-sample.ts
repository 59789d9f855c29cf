import { readdirSync, readFileSync } from 'node:fs';

/** What is seen of a process and of all that it started. */
export interface Sample {
  /** Peaks of resident memory, added up; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
  /** Seconds for which each thread had work and no processor, by the thread's id. */
  readonly starvedSeconds: ReadonlyMap<string, number>;
}

/** Looks at a process by way of /proc; elsewhere nothing is seen. */
export function sampleOf(pid: number): Sample {
  const waiting = [pid];
  const starvedSeconds = new Map<string, number>();
  let megabytes: number | undefined;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const peak = peakOf(next);
    if (peak !== undefined) megabytes = (megabytes ?? 0) + peak;
    for (const thread of threadsOf(next)) {
      starvedSeconds.set(thread, starvedSecondsOf(next, thread));
    }
    waiting.push(...childrenOf(next));
  }
  return { megabytes, starvedSeconds };
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

/** The second number of `schedstat`: nanoseconds spent waiting on a run queue. */
function starvedSecondsOf(pid: number, thread: string): number {
  const [, waited = '0'] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
  return Number(waited) / 1e9;
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

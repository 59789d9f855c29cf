import { readFileSync } from 'node:fs';

/** The peak of resident memory of a process, in kilobytes; undefined where the system does not tell. */
function peakOf(pid: number): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]);
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

/** Peaks of a process and of all that it started, added up, in megabytes. */
export function megabytesOf(pid: number): number | undefined {
  const waiting = [pid];
  let sum: number | undefined;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const peak = peakOf(next);
    if (peak === undefined) continue;
    sum = (sum ?? 0) + peak;
    waiting.push(...childrenOf(next));
  }
  return sum === undefined ? undefined : sum / 1024;
}

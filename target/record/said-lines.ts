import type { Exchange } from '../../contracts/wire/exchange.ts';
import { isObject, member } from '../../contracts/wire/json.ts';
import { RecordAltered, RecordCorrupt } from './record-error.ts';

/** Lines of a record that are no exchanges. Nobody has looked at their form. */
export interface SaidLines {
  /** The settings of the run. Records of earlier versions have neither this nor the end. */
  readonly run?: unknown;
  /** How it ended; undefined of a run that was killed. */
  readonly end?: unknown;
  /** Digests of what the run wrote as `run.json` once it was judged, the last one last. */
  readonly judged: readonly string[];
  /** Digests, by name, of what was made of the run once it was judged, as the last line has them. */
  readonly made: unknown;
  /** Whether the record breaks off in such a digest, as on a full disk. */
  readonly isTorn: boolean;
}

const JUDGED = '{"judged":';

/** What the lines of a record say that are no exchanges, in their order, and when those were appended. */
export class Said implements SaidLines {
  readonly #file: string;
  readonly judged: string[] = [];
  made: unknown;
  isTorn = false;
  run: unknown;
  end: unknown;
  #offsetMs = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number, name: string, value: unknown): void {
    const content = member(value, name);
    const isInPlace =
      name === 'run'
        ? line === 1
        : name === 'end'
          ? this.end === undefined
          : this.end !== undefined;
    if (!isInPlace || !isObject(content) || (name === 'end' && this.run === undefined)) {
      throw new RecordCorrupt(this.#file, line, 'this line is not if it belongs');
    }
    if (name === 'run') this.run = content;
    else if (name === 'judged') {
      this.judged.push(String(member(content, 'sha256')));
      this.made = member(content, 'files');
    } else {
      this.end = content;
      const { lengthMs } = content;
      if (typeof lengthMs !== 'number' || this.#offsetMs > lengthMs)
        throw this.#untimely(line - 1, 'later than its run was long');
    }
  }

  /** Takes a last line that breaks off, if it may be one that follows the end of the run. */
  tears(line: string): boolean {
    const start = line.slice(0, JUDGED.length);
    this.isTorn = this.end !== undefined && JUDGED.startsWith(start);
    return this.isTorn;
  }

  refuseAfterEnd(line: number): void {
    if (this.end === undefined) return;
    throw new RecordCorrupt(this.#file, line, 'this exchange stands behind the end of the run');
  }

  /** An exchange as it was recorded; in records that say what the run began with it says when, in order. */
  withoutOffset(line: number, recorded: Exchange): Exchange {
    const { offsetMs, ...exchange } = recorded as Exchange & { readonly offsetMs?: unknown };
    if (this.run === undefined) return exchange;
    if (typeof offsetMs !== 'number' || offsetMs < this.#offsetMs)
      throw this.#untimely(line, 'before the one above it, or nobody knows when');
    this.#offsetMs = offsetMs;
    return exchange;
  }

  #untimely(line: number, when: string): RecordAltered {
    return new RecordAltered(`${this.#file}, line ${line} was recorded ${when}`);
  }
}

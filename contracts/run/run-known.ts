/** Findings that are known, as a file to commit has them, and what became of them in a run: `known` of `run.json`. */

import type { Rate } from '../judging/findings/pieces.ts';
import type { Level } from '../judging/rule.ts';

/** A finding that is known. */
export interface KnownFinding {
  readonly rule: string;
  readonly level: Level;
  /** Of the contract; absent of what no operation showed. */
  readonly operation?: string;
  /** JSON pointer into the response body without array positions and numeric keys, as fingerprints take it. */
  readonly place: string;
  /** How often it was judged broken, of how often the same requests were judged. */
  readonly rate: Rate;
  /** How often it was judged broken, of how often comparable requests were; that of `rate` when absent. */
  readonly share?: Rate;
  /** The day of the run that first had it, `YYYY-MM-DD`, UTC. */
  readonly since: string;
  /** Of what not each request shows: the runs in a row that judged it and did not show it, and how often they judged. */
  readonly held?: KnownHeld;
}

/** Runs that judged what not each request shows, and did not show it. */
export interface KnownHeld {
  readonly runs: number;
  readonly judged: number;
  /** When the last of them began, RFC 3339: none that began before is counted again. Absent from files of earlier versions. */
  readonly until?: string;
}

/** The file. Its schema is reports/known.schema.json. */
export interface KnownFile {
  readonly schemaVersion: 1;
  /** Of which target it is, since what is gone elsewhere may be there: `environment`, or URLs by API. Absent from files of earlier versions. */
  readonly target?: Readonly<Record<string, string>>;
  /** What chose the requests of the run that wrote it: seed, profile, rules. Absent from files of earlier versions. */
  readonly asked?: string;
  readonly known: readonly KnownFinding[];
}

/** What became of known findings in a run. It changes no verdict. */
export interface RunKnown {
  /** Name of the file. */
  readonly file: string;
  /** Of which target the file is, if that is another than the run's: nothing is said then of what is gone. */
  readonly otherTarget?: NonNullable<KnownFile['target']>;
  /** Whether other requests were chosen than by the run that wrote the file: how often they show something differs then. */
  readonly isAskedOtherwise?: true;
  /** Findings of the run that the file has, by fingerprint, with the day since when. */
  readonly known: Readonly<Record<string, string>>;
  /** Findings that are new, by fingerprint: the file lacks them, or they show clearly more often than it says. */
  readonly fresh: Readonly<Record<string, 'not-in-file' | 'more-often'>>;
  /** Of the file: judged often enough to be seen, and not seen. */
  readonly gone: readonly KnownFinding[];
  /**
   * Of the file: what not each request shows, was judged and not seen, with how often it has held by then. One run does
   * not say that it is gone. Absent from records of earlier versions.
   */
  readonly held?: readonly KnownFinding[];
}

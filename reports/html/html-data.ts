/**
 * What the HTML page is made from: plain data, bounded, in the order in which it is shown. What nobody
 * can see or what turns text around stands as `\u{…}` in it, except for the texts of bodies.
 */

import type { Clause } from '../../contracts/judging/clause.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Exchange, HeaderList } from '../../contracts/wire/exchange.ts';
import type { JsonLine } from '../json-lines.ts';

/** A body as far as it is shown. */
export interface PageBody {
  readonly encoding: 'utf8' | 'base64';
  /** The text, or its beginning. */
  readonly text: string;
  /** Of the whole text; more than `text` has if it was cut. */
  readonly characters: number;
  /** Of JSON that was cut: lines of the whole, those around what broke. */
  readonly parts?: readonly PagePart[];
}

/** Lines of a long JSON text that follow each other. */
export interface PagePart {
  /** Lines of the whole that stand before these. */
  readonly before: number;
  readonly lines: readonly JsonLine[];
}

/** An exchange as it is shown. */
export interface PageExchange extends Pick<Exchange, 'id' | 'api' | 'sentAtMs' | 'latencyMs'> {
  /** What the driver knew of it, in words; empty if it knew nothing. */
  readonly purpose: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly path: string;
    readonly headers: HeaderList;
    readonly body: PageBody | null;
  };
  readonly outcome:
    | {
        readonly kind: 'response';
        readonly status: number;
        readonly headers: HeaderList;
        readonly body: PageBody;
      }
    | { readonly kind: 'failure'; readonly failure: string; readonly message: string };
}

/** A label and what stands beside it. */
export type Field = readonly [label: string, text: string];

/** One rate limit in words. */
export interface PageLimit {
  readonly title: string;
  readonly verdict: string;
  readonly fields: readonly Field[];
}

/** A sentence and how it is marked: `✗`, `!`, `?`, `·`. */
export type Remark = readonly [symbol: string, text: string];

/** A plot: an SVG document, shown as an image. */
export interface PagePlot {
  readonly of: 'limits' | 'load' | 'trend' | 'history-rules' | 'history-latency' | 'history-limits';
  readonly svg: string;
  /** What it shows, for who does not see it. */
  readonly alt: string;
}

/** What a run came to, in a few words, with the symbol that says how good that is. */
export interface PageOutcome {
  readonly symbol: '✓' | '✗' | '?';
  readonly words: string;
}

/** What became of a run since its baseline, in words. */
export interface PageComparison {
  readonly headline: string;
  readonly parts: readonly {
    readonly title: string;
    readonly rows: readonly Remark[];
    /** Rows beyond those. */
    readonly more: number;
  }[];
}

/** What was seen of an unspecified clause in one run alone: in this one, or in its baseline. */
export interface PageUnspecified {
  readonly came: readonly string[];
  readonly went: readonly string[];
}

/** Rows, and how many there are beyond those. */
export interface PageRows {
  readonly rows: readonly Remark[];
  readonly more: number;
}

/** A run among earlier ones. */
export interface PageHistory {
  /** Which runs these are, in one sentence or two. */
  readonly note: string;
  /** What was left out and why, and what a reader must know. */
  readonly notes: readonly string[];
  /** The newest first. */
  readonly runs: readonly {
    readonly name: string;
    readonly startedAt: string;
    readonly symbol: PageOutcome['symbol'];
    readonly isComplete: boolean;
    readonly broken: number;
    readonly waived: number;
    readonly notReached: number;
    readonly judged: number;
    readonly labels: string;
  }[];
  readonly rules: PageRows;
  /** The slowest operation first. */
  readonly latencies: readonly {
    readonly operation: string;
    /** Of the newest run, as are the next two. */
    readonly answers: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
    /** Earlier runs that asked it. */
    readonly runs: number;
    /** The p95 of those. */
    readonly before?: {
      readonly least: number;
      readonly middle: number;
      readonly greatest: number;
    };
  }[];
  readonly limits: readonly ({ readonly title: string } & PageRows)[];
  readonly ledger: PageRows;
  readonly varying?: string;
}

/** One run. */
export interface PageRun {
  readonly name: string;
  /** What all of it came to, thresholds of load and a replay included. */
  readonly outcome: PageOutcome;
  /** Why nothing was decided; absent where something was. */
  readonly undecided?: string;
  /** Without histograms; long texts cut. */
  readonly run: RunJson;
  readonly exchanges: Readonly<Record<string, PageExchange>>;
  /** What of the run is not on the page, as sentences. */
  readonly leftOut: readonly string[];
  readonly limits: readonly PageLimit[];
  /** Of a load run. */
  readonly load?: {
    /** In one sentence. */
    readonly outcome: string;
    readonly thresholds: readonly Remark[];
    readonly generator: string;
  };
  /** Of a replay: what became of the finding. */
  readonly replay?: string;
  /** Of a run that went on generating: what it reached. */
  readonly search?: string;
  readonly trend: readonly Remark[];
  readonly baseline: readonly Remark[];
  /** Of a check that was compared with an earlier one. */
  readonly comparison?: PageComparison;
  /** Of the same: whether the baseline has what a rule is broken by, in words by the rule's id. */
  readonly since?: Readonly<Record<string, string>>;
  /** Of the same: unspecified clauses of which something else was seen, by their ids. */
  readonly otherUnspecified?: Readonly<Record<string, PageUnspecified>>;
  /** Where earlier runs are at hand. */
  readonly history?: PageHistory;
  readonly plots: readonly PagePlot[];
}

/** The whole page. */
export interface PageData {
  readonly runs: readonly PageRun[];
  /** Of the document; none if a run is judged by rules of its own. */
  readonly clauses: readonly Clause[];
}

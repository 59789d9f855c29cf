/** Real limiters, each in a process of its own, with all that may truly be said of them. */

import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';

/** Who wrote them, or what must be installed. */
export const WILD_FAMILIES = [
  'npm',
  'workers',
  'nginx',
  'haproxy',
  'apache',
  'caddy',
  'go',
  'python',
  'java',
  'rust',
] as const;

export type WildFamily = (typeof WILD_FAMILIES)[number];

/** A program that serves one limiter on 127.0.0.1. */
export interface WildCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it takes a port of its own, and writes its URL in a line of standard output. */
  readonly writesUrl?: boolean;
}

/** Where one runs. */
export interface WildPlace {
  /** A new folder of its own, removed at the end. */
  readonly folder: string;
  /** A port of 127.0.0.1 that is free. */
  readonly port: number;
  /** What the family prepared once; a file or folder. */
  readonly tool: string;
}

/** One limiter with its configuration. */
export interface WildLimiter {
  readonly family: WildFamily;
  readonly name: string;
  readonly parameters: string;
  /** Any of them is right: some limiters may be described in more than one way. */
  readonly truths: readonly [LimiterTruth, ...LimiterTruth[]];
  /** Why, if that needs to be said. */
  readonly note?: string;
  /** The status of its rejections if that is not 429. */
  readonly throttleStatus?: number;
  /** Writes what it needs into its folder, and answers how it is started. */
  readonly command: (place: WildPlace) => WildCommand;
}

/** What a family needs before any of it can start. */
export interface WildTool {
  /**
   * Looks for it, and builds it if that is needed.
   *
   * @param folder for what is built; removed at the end
   * @param signal ends what it runs
   * @returns what `WildPlace.tool` is to be
   * @throws {@link WildMissing} when it is not at hand
   */
  readonly prepare: (folder: string, signal: AbortSignal) => Promise<string>;
}

/** Thrown when limiters of a family cannot run here; the message says what to install. */
export class WildMissing extends Error {
  override readonly name = 'WildMissing';
}

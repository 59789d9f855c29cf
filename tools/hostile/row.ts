import type { HostileReport, HostileSpec, HostileUrls, Seen } from './service/hostile.ts';

/** The commands that meet hostile things. */
export type Command = 'check' | 'limits' | 'load' | 'judge' | 'report' | 'serve' | 'verify';

/** One case: what is hostile, and what must be so all the same. */
export interface Row {
  /** Unique; begins with what is hostile, e.g. `target: endless body`. */
  readonly name: string;
  readonly command: Command;
  /** Runs in CI as well. */
  readonly fast: boolean;
  /** The exit codes that are right; null if a signal may end the process. */
  readonly exits: readonly (number | null)[];
  /** Sets up what is needed, and says what to run. */
  readonly prepare: (lab: Lab) => Plan | Promise<Plan>;
}

/** What becomes of a stream of the process: kept, closed before it starts, closed after the first bytes, or a full device. */
export type Stream = 'kept' | 'closed' | 'closed-early' | 'full';

/** What to run, and what to expect beyond what is expected of every row. */
export interface Plan {
  /** All arguments, the command included. */
  readonly args: readonly string[];
  /** Variables beside PATH, HOME and the planted secrets; an empty one takes a planted one away. */
  readonly env?: Readonly<Record<string, string>>;
  /** Values that must stand in no output, in no form, by name; beside those of secret variables. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Names of secret variables whose values may be seen after all. */
  readonly revealed?: readonly string[];
  readonly cwd?: string;
  readonly stdout?: Stream;
  readonly stderr?: Stream;
  /** Largest file that the process may write, in blocks of 512 bytes. */
  readonly fileBlocks?: number;
  /** How many files, sockets among them, the process may have open. */
  readonly openFiles?: number;
  /** A shell line that is run first, in namespaces of its own of network and mounts. */
  readonly apart?: string;
  /** The record that must be whole afterwards; null if none may be there. */
  readonly record?: string | null;
  /** Folders, beside that of the record, that may be written to. */
  readonly writes?: readonly string[];
  /** Texts that must be printed, line ends and indents as single spaces. */
  readonly says?: readonly (string | RegExp)[];
  /** Texts that must not be printed. */
  readonly never?: readonly (string | RegExp)[];
  /** Bound on the time; by `--max-seconds` and `--timeout-ms` of the arguments when absent. */
  readonly seconds?: number;
  /** Bound on the memory. */
  readonly megabytes?: number;
  /** Bound on the seconds from `Running.mark` to the end. */
  readonly secondsAfterMark?: number;
  /** What is done while it runs. */
  readonly during?: (running: Running) => Promise<void>;
  /** What else is wrong, in sentences. */
  readonly after?: (ended: Ended) => readonly string[] | Promise<readonly string[]>;
}

/** A process under way. */
export interface Running {
  kill(signal: NodeJS.Signals): void;
  /** Waits until the record holds so many exchanges, or the process has ended. */
  recorded(count: number): Promise<void>;
  /** Waits until a text was printed, or the process has ended. */
  printed(text: string): Promise<void>;
  /** Time counts from here for `secondsAfterMark`. */
  mark(): void;
  sleep(ms: number): Promise<void>;
  readonly text: () => string;
}

/** How a process ended. */
export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Of these, it waited so long for a processor that others had. */
  readonly starvedSeconds: number;
  /** What all its threads had of processors. */
  readonly busySeconds: number;
  /** Peak of resident memory, the children's included; undefined if the system does not say. */
  readonly megabytes: number | undefined;
  /** Why the runner killed it. */
  readonly killed?: string;
  readonly markedAtMs?: number;
  readonly endedAtMs: number;
}

/** A hostile service that listens in its own process. */
export interface Opened {
  readonly urls: HostileUrls;
  /** Base URLs of zap, trade and docs as flags. */
  readonly flags: readonly string[];
  readonly seen: () => Promise<readonly Seen[]>;
  readonly report: () => Promise<HostileReport>;
}

/** Records that many rows begin with, made once. */
export type BaseRecord = 'clean' | 'failing' | 'limits' | 'other' | 'part';

/** What a row is set up with. */
export interface Lab {
  /** An empty folder of the row's own; everything is in it. */
  readonly dir: string;
  /** A path in the folder. */
  path(...names: readonly string[]): string;
  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Buffer): string;
  open(spec: HostileSpec): Promise<Opened>;
  /** A copy of a base record, in the folder. */
  copyOf(base: BaseRecord): Promise<string>;
  /** Runs the command line to its end, outside of all measuring. */
  assay(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** What budgets and bounds of time are multiplied by on this machine. */
  readonly slack: number;
}

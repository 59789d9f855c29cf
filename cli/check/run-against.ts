import { fork } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Clock } from '../../target/budget/clock.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { baseUrlsOf } from '../../target/config/config-types.ts';
import { NO_MORE } from '../../target/lockstep.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';
import { tempFolder } from '../../target/record/temp-folder.ts';
import { processStartedMs, type RunTimes } from '../../target/budget/run-times.ts';
import { secondEnvironment } from '../../target/config/secrets.ts';
import type { SecondTarget } from './against.ts';
import type { BaselineAtHand } from '../run/baseline.ts';
import { type SecondRunOrder, STOP } from './second-run-order.ts';
import { openReference } from './target.ts';
import type { StepWire } from '../threads/step-wire.ts';

/** The run of a second target, under way. */
export interface SecondRun {
  /** To its drive, for the drive of the first to keep in step with. */
  readonly wire: StepWire;
  readonly urls: Readonly<Record<ApiName, string>>;
  /** Its record; never rejects. */
  readonly ended: Promise<BaselineAtHand>;
  /** Whether that is still to come. */
  readonly isUnderWay: () => boolean;
  /** Asks it to send nothing more, and to judge what it has recorded. */
  readonly stop: () => void;
  /** Waits for it no longer, for a person who asks twice. */
  readonly leave: () => void;
  /** Ends it, and whatever it needs. */
  readonly close: () => Promise<void>;
}

/** What a second run begins with. */
export interface SecondRunOptions {
  readonly second: SecondTarget;
  /** As the run of the first target has them. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly config: TargetConfig;
  readonly times: RunTimes;
  /** The record of the first; the other one goes into it. */
  readonly recordDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The folder of the second record, in that of the first. */
const SECOND_RECORD = 'against';

/** It ends so long before the first must, which then compares the two. */
const FOR_COMPARING_SECONDS = 4;
const FOR_COMPARING_MS = 1_500;
const MAX_SAID = 4_000;

/**
 * Starts to drive a second target: the same flags and seed, in a process of its own, whose environment
 * holds the secrets of that target in place of those of the first.
 */
export async function startSecondRun(options: SecondRunOptions): Promise<SecondRun> {
  const { second, config, recordDir, env, clock, times } = options;
  const secondEnv = secondEnvironment(env);
  const embedded = second.kind === 'embedded' ? await openReference(secondEnv) : undefined;
  const urls = second.kind === 'embedded' ? urlsOfFirst(config, embedded?.urls ?? {}) : second.urls;
  const dir = join(recordDir, SECOND_RECORD);
  const regressions = copyOf(config.regressions);
  const child = fork(new URL('./second-run.js', import.meta.url), {
    env: { ...secondEnv, ...(embedded === undefined ? {} : BY_NO_PROXY) },
    // No signal of a terminal reaches it: this process asks it to end.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let [said, isGone] = ['', false];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID);
  });
  const send = (message: number | string | SecondRunOrder): void => {
    // It may have ended already, which is reported below.
    if (child.connected) child.send(message, () => undefined);
  };
  const hearing: ((theirs: number) => void)[] = [];
  const hear = (theirs: number): void => {
    for (const heard of hearing) heard(theirs);
  };
  child.on('message', (message) => {
    if (typeof message === 'number') hear(message);
  });
  let leave = (): void => undefined;
  const ended = new Promise<BaselineAtHand>((resolve) => {
    const timer = setTimeout(
      () => child.kill('SIGKILL'),
      Math.max(0, times.judgeEndMs - FOR_COMPARING_MS - clock.nowMs()),
    );
    leave = () => {
      resolve({ why: 'it was interrupted' });
    };
    const settle = (error?: Error): void => {
      isGone = true;
      clearTimeout(timer);
      hear(NO_MORE);
      const isThere = existsSync(join(dir, SUMMARY_FILE));
      resolve(isThere ? { dir, isBeside: true } : { why: notAsked(error?.message ?? said) });
    };
    child.once('error', settle);
    child.once('close', () => {
      settle();
    });
  });
  send({ flags: flagsOf(options, urls, dir, regressions), entry: process.argv[1] ?? 'assay' });
  return {
    wire: {
      announce: send,
      listen: (heard) => {
        hearing.push(heard);
        if (isGone) heard(NO_MORE);
      },
    },
    ...{ urls, ended, isUnderWay: () => !isGone },
    stop: () => {
      send(STOP);
    },
    leave: () => {
      send(STOP);
      leave();
    },
    close: async () => {
      if (!isGone) send(STOP);
      if (regressions !== undefined) rmSync(regressions, { recursive: true, force: true });
      await embedded?.close();
    },
  };
}

/** No proxy knows a service of this process. */
const BY_NO_PROXY = { NO_PROXY: '127.0.0.1,[::1]', no_proxy: '127.0.0.1,[::1]' };

/** The base URLs of the APIs that the first target has as well. */
function urlsOfFirst(
  config: TargetConfig,
  urls: Readonly<Record<ApiName, string>>,
): Record<ApiName, string> {
  const there = Object.keys(baseUrlsOf(config));
  return Object.fromEntries(
    there.flatMap((api) => (urls[api] === undefined ? [] : [[api, urls[api]]])),
  );
}

function notAsked(said: string): string {
  const [last] = said.trim().split('\n').slice(-1);
  return `the second target was not asked: ${last === undefined || last === '' ? 'its run left no record' : last.replace(/^assay: |\.$/g, '')}`;
}

const OF_THE_FIRST: readonly string[] = ['against', 'allure', 'json', 'verbose', 'embedded'];

/** The same flags except for the target, what comes out, and what is said of the first alone. */
function flagsOf(
  { flags, config, clock }: SecondRunOptions,
  urls: SecondRun['urls'],
  dir: string,
  regressions: string | undefined,
): Readonly<Record<string, unknown>> {
  const shared = Object.entries(flags).filter(([name]) => !OF_THE_FIRST.includes(name));
  const spentSeconds = (clock.nowMs() - processStartedMs()) / 1000;
  const seconds = Math.max(1, config.maxSeconds - spentSeconds - FOR_COMPARING_SECONDS);
  return {
    ...Object.fromEntries(shared),
    ...Object.fromEntries(Object.entries(urls).map(([api, url]) => [`${api}Url`, url])),
    ...{ quiet: true, annotations: false, out: dir, label: [] },
    ...{ seed: String(config.seed), maxSeconds: seconds.toFixed(1) },
    ...(regressions === undefined ? {} : { regressions }),
  };
}

/**
 * A copy of the counterexamples that are tried first: what breaks the second target is none of those that
 * are kept for the first.
 */
function copyOf(regressions: string | undefined): string | undefined {
  if (regressions === undefined) return undefined;
  const copy = tempFolder('assay-regressions-');
  if (!existsSync(regressions)) return copy;
  for (const entry of readdirSync(regressions, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
    copyFileSync(join(regressions, entry.name), join(copy, entry.name));
  }
  return copy;
}

import { basename } from 'node:path';
import { createSystemClock } from '../target/budget/clock.ts';
import { omit } from '../contracts/wire/json.ts';
import { configPathOf, isModule } from '../target/config/config-file.ts';
import {
  choiceOfFile,
  ConfigError,
  type ConfigInput,
  resolveConfig,
  type TargetConfig,
} from '../target/config/config.ts';
import { APIS } from './apis.ts';
import { startTask } from './threads/task.ts';
import { ThreadEnded } from './threads/task-failed.ts';
import type { EndedBy } from './threads/watchdog.ts';

/** Reading a module may take this long; what it awaits has less. */
const MAX_MS = 60_000;

/**
 * The configuration of a run of the service that Assay judges. A module is run in a thread of its own, which
 * ends once it is read: nothing that it does to its process decides how Assay ends.
 *
 * @throws ConfigError with everything that is wrong
 */
export async function readConfig(input: Omit<ConfigInput, 'apis'>): Promise<TargetConfig> {
  // `--known` names a file of findings: no option gives what a configuration knows of its target.
  const all = { ...input, flags: omit(input.flags, 'known'), apis: APIS };
  const path = configPathOf(choiceOfFile(all));
  return path !== undefined && isModule(path) ? inThread(all, path) : resolveConfig(all);
}

/**
 * The same, from no file but the one that somebody names: for commands that look at what others made, and may
 * run in its folder.
 *
 * @throws ConfigError with everything that is wrong
 */
export function readNamedConfig(
  input: Omit<ConfigInput, 'apis' | 'onlyNamed'>,
): Promise<TargetConfig> {
  return readConfig({ ...input, onlyNamed: true });
}

async function inThread(input: ConfigInput, path: string): Promise<TargetConfig> {
  const clock = createSystemClock();
  const { env, ...others } = input;
  const posted = env === process.env ? others : { ...others, env };
  const task = startTask('configuration', posted, clock, clock.nowMs() + MAX_MS);
  const ended = await task.ended.catch((error: unknown) => {
    if (error instanceof ThreadEnded) throw unread(path, error.message);
    throw error;
  });
  if (ended.kind === 'ended') throw unread(path, WHY[ended.by]);
  if ('problems' in ended.value) throw new ConfigError(ended.value.problems);
  return ended.value.config;
}

function unread(path: string, why: string): ConfigError {
  const from = `file ${basename(path)}`;
  const wanted = 'a module that does no more than export its values';
  return new ConfigError([{ key: 'config', from, value: why, wanted }]);
}

const WHY: Readonly<Record<EndedBy, string>> = {
  time: `reading it did not end within ${MAX_MS / 1000} s`,
  silence: 'reading it did not come to an end',
  memory: 'reading it took more memory than it may',
  request: 'reading it was interrupted',
};

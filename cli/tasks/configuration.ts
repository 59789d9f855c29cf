import {
  ConfigError,
  type ConfigInput,
  type ConfigProblem,
  resolveConfig,
  type TargetConfig,
} from '../../target/config/config.ts';

/** What a configuration is made of, as it passes between threads. */
export interface ConfigurationInput extends Omit<ConfigInput, 'env'> {
  /** The variables that are read; those of the process if it is absent. */
  readonly env?: ConfigInput['env'];
}

/** What came of it. */
export type ConfigurationRead =
  { readonly config: TargetConfig } | { readonly problems: readonly ConfigProblem[] };

/** Reads a configuration whose file is a module: what that does to its process, it does to this thread. */
export async function configurationTask(input: ConfigurationInput): Promise<ConfigurationRead> {
  try {
    return { config: await resolveConfig({ ...input, env: input.env ?? process.env }) };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}

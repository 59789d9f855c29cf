/** Long because reading the sources in their order and reporting what is wrong in each is one thing. */

import { PROFILES, type ProfileName } from '../../contracts/judging/profile.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { type ConfigChoice, type ConfigFile, readConfigFile } from './config-file.ts';
import { type ConfigKey, configKeysOf, type KeySpec } from './config-keys.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { TargetConfig } from './config-types.ts';
import { Unwanted, type ValueContext } from './config-value.ts';
import { addService, otherApiProblems, ownApis, refuseTakenTwice } from './config-own.ts';
import type { OwnService } from './own-service.ts';
import { isSecretName, SECRET_PREFIX, SIGNING_KEY, TRADE_KEY } from './secrets.ts';
import { unfitProxies } from './proxies.ts';
import { withoutPassword } from './without-password.ts';
import { chainOfVariable } from '../secrets/rpc-variable.ts';

export { ConfigError, type ConfigProblem } from './config-error.ts';
export * from './config-types.ts';

/** What a configuration is made of. */
export interface ConfigInput {
  /** Options of the command line by their names in camel case; others than config keys are ignored. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which `assay.config.*` is looked for, and that relative paths are relative to. */
  readonly cwd: string;
  /** No file is looked for there: it is read if `--config` or ASSAY_CONFIG names it. */
  readonly onlyNamed?: boolean;
  /** The APIs of the service, whose base URLs are keys of it. */
  readonly apis: readonly ApiName[];
  /** The seed when nobody names one; chosen at the edge, since it is chance. */
  readonly defaultSeed: number;
}

type ConfigKeys = ReturnType<typeof configKeysOf>;

/** One place that values come from, the strongest first in a list of them. */
interface Source {
  readonly context: ValueContext;
  /** Name for messages, e.g. `flag --zap-url`. */
  readonly from: (key: string) => string;
  readonly valueOf: (key: string) => unknown;
  readonly isFile: boolean;
}

const CONFIG_VARIABLE = 'ASSAY_CONFIG';
const ENVIRONMENT_VARIABLE = 'ASSAY_ENV';
/** The seed of a gate, if nobody names one. */
const GATE_SEED = 1;
/** The member of a configuration file that holds named environments. */
const ENVIRONMENTS = 'environments';
/** Variables of other commands, which a shell may hold that also runs checks. */
const OTHER_VARIABLES: readonly string[] = ['ASSAY_SERVE_KEYS', 'ASSAY_ADMIN_TOKEN', SIGNING_KEY];

/**
 * The configuration of a run: flags before `ASSAY_*` variables before the configuration file before
 * defaults, checked and frozen all the way down. The file is `assay.config.{ts,js,mjs,json,yaml,yml}`
 * of the folder, or the one that `--config` or ASSAY_CONFIG names.
 *
 * @throws {ConfigError} with everything that is wrong, also in values that a stronger source hides
 */
export async function resolveConfig(input: ConfigInput): Promise<TargetConfig> {
  const { flags, env } = input;
  const file = inEnvironment(await readConfigFile(choiceOfFile(input)), flags, env);
  const own = ownApis(file);
  const apis = own ?? input.apis;
  const keys = configKeysOf(apis);
  const problems: ConfigProblem[] = [
    ...keyProblems(flags, file),
    ...(own === undefined ? [] : otherApiProblems(input, own)),
    ...unknownFileKeys(file, keys),
    ...proxyProblems(env),
  ];
  const sources = sourcesOf({ ...input, apis }, file, keys);
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(keys) as [ConfigKey, KeySpec][]) {
    const readValues = sources.flatMap((source) => readFrom(source, key, spec, problems));
    const value = readValues.length > 0 ? readValues[0] : spec.default;
    if (value !== undefined) values[key] = value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  refuseTakenTwice(file, apis);
  // The rules of relations are found where those of one's own are.
  if (values.rules === undefined && values.relations !== undefined) values.rules = values.relations;
  if (values.service !== undefined) addService(values, values.service as OwnService);
  const profile = values.profile as ProfileName;
  const { maxRequests, maxSeconds, maxRejects } = PROFILES[profile];
  // A gate says the same of the same service; the others look further each time.
  values.seed ??= profile === 'gate' ? GATE_SEED : input.defaultSeed;
  for (const [key, value] of Object.entries({ maxRequests, maxSeconds, maxRejects })) {
    values[key] ??= value;
  }
  values.warnings = [...unknownVariables(env, keys), ...literalHeaders(values)];
  return deepFreeze(values) as unknown as TargetConfig;
}

/** Which file a configuration is read from. */
export function choiceOfFile({ flags, env, cwd, onlyNamed }: ConfigInput): ConfigChoice {
  const named = flags.config ?? env[CONFIG_VARIABLE];
  return { cwd, onlyNamed, named: typeof named === 'string' && named !== '' ? named : undefined };
}

/**
 * A file with the values of one of its environments in place of its own.
 *
 * @throws {ConfigError} when there is no such environment
 */
function inEnvironment(
  file: ConfigFile | undefined,
  flags: ConfigInput['flags'],
  env: ConfigInput['env'],
): ConfigFile | undefined {
  const named = flags.env ?? env[ENVIRONMENT_VARIABLE];
  const from = flags.env === undefined ? `variable ${ENVIRONMENT_VARIABLE}` : 'flag --env';
  if (file === undefined) {
    if (named === undefined) return undefined;
    const wanted = `a configuration file with the environment in its member ${ENVIRONMENTS}`;
    throw new ConfigError([{ key: 'env', from, value: show(named), wanted }]);
  }
  const { [ENVIRONMENTS]: environments = {}, ...values } = file.values;
  const all = isRecord(environments) ? environments : undefined;
  if (all === undefined || !Object.values(all).every(isRecord)) {
    const wanted = 'an object of environments by name, each an object of keys like the file itself';
    throw new ConfigError([{ key: ENVIRONMENTS, from: `file ${file.name}`, wanted }]);
  }
  if (named === undefined) return { ...file, values };
  const chosen = typeof named === 'string' && Object.hasOwn(all, named) ? all[named] : undefined;
  if (chosen === undefined) {
    const names = Object.keys(all).join(', ') || 'none';
    const wanted = `an environment of ${file.name}, which has: ${names}`;
    throw new ConfigError([{ key: 'env', from, value: show(named), wanted }]);
  }
  return {
    ...file,
    env: named as string,
    values: { ...values, ...(chosen as Record<string, unknown>) },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sourcesOf(
  { flags, env, cwd, apis }: ConfigInput,
  file: ConfigFile | undefined,
  keys: ConfigKeys,
): Source[] {
  const text = { typed: false, dir: cwd, apis };
  const sources: Source[] = [
    {
      context: text,
      from: (key) => `flag --${kebab(singleOf(key, keys))}`,
      valueOf: (key) => flags[singleOf(key, keys)],
      isFile: false,
    },
    {
      context: text,
      from: (key) => `variable ${variable(key, keys)}`,
      valueOf: (key) => env[variable(key, keys)],
      isFile: false,
    },
  ];
  if (file !== undefined) {
    const { path, dir, env: chosen } = file;
    const place = chosen === undefined ? { path } : { path, env: chosen };
    sources.push({
      context: { typed: true, dir, apis, file: place },
      from: () => `file ${file.name}`,
      valueOf: (key) => (Object.hasOwn(file.values, key) ? file.values[key] : undefined),
      isFile: true,
    });
  }
  return sources;
}

/** The value of a key in one source, if it has one; what is wrong with it goes to the problems. */
function readFrom(
  source: Source,
  key: ConfigKey,
  { read, fileOnly }: KeySpec,
  problems: ConfigProblem[],
): unknown[] {
  const value = source.valueOf(key);
  if (value === undefined) return [];
  if (value === '' && !source.isFile) {
    // Mostly a variable of CI that is not set where it should be: nothing would be tested there.
    const wanted = 'a value; leave it out altogether if there is none';
    problems.push({ key, from: source.from(key), value: '(empty)', wanted });
    return [];
  }
  if (fileOnly === true && !source.isFile) {
    problems.push({ key, from: source.from(key), wanted: `${key} in a configuration file` });
    return [];
  }
  try {
    return [read(value, source.context)];
  } catch (error) {
    if (!(error instanceof Unwanted)) throw error;
    const shown = error.shown ?? show(value);
    problems.push({ key, from: source.from(key), value: shown, wanted: error.message });
    return [];
  }
}

/** A key of the trade API given if others can read it; its value is not repeated. */
function keyProblems(flags: ConfigInput['flags'], file: ConfigFile | undefined): ConfigProblem[] {
  const wanted = `the key in the variable ${TRADE_KEY} alone, since command lines and files are read by others`;
  const problems: ConfigProblem[] = [];
  if (flags.tradeKey !== undefined) {
    problems.push({ key: 'tradeKey', from: 'flag --trade-key', wanted });
  }
  if (file !== undefined && Object.hasOwn(file.values, 'tradeKey')) {
    problems.push({ key: 'tradeKey', from: `file ${file.name}`, wanted });
  }
  return problems;
}

/** What is no URL may be nothing but a password, so it is not repeated. */
function proxyProblems(env: ConfigInput['env']): ConfigProblem[] {
  const wanted = 'a URL of a proxy that begins with http:// or https://';
  return unfitProxies(env).map((name) => ({ key: 'proxy', from: `variable ${name}`, wanted }));
}

function unknownFileKeys(file: ConfigFile | undefined, keys: ConfigKeys): ConfigProblem[] {
  if (file === undefined) return [];
  return Object.keys(file.values)
    .filter((key) => !Object.hasOwn(keys, key) && key !== 'tradeKey')
    .map((key) => ({
      key,
      from: `file ${file.name}`,
      // Not shown: a misspelt key may hold anything, also a secret.
      wanted: `one of the keys ${Object.keys(keys).join(', ')}`,
    }));
}

function unknownVariables(env: ConfigInput['env'], keys: ConfigKeys): string[] {
  const known = new Set([
    ...Object.keys(keys).map((key) => variable(key, keys)),
    CONFIG_VARIABLE,
    ENVIRONMENT_VARIABLE,
    ...OTHER_VARIABLES,
  ]);
  return Object.keys(env)
    .filter((name) => name.startsWith('ASSAY_') && !known.has(name))
    .filter((name) => !isSecretName(name) && chainOfVariable(name) === undefined)
    .sort()
    .map((name) => `the variable ${name} is not known and has no effect`);
}

/** Which header fields have values that whoever reads the record reads as well. */
function literalHeaders({ headers }: Readonly<Record<string, unknown>>): string[] {
  const literal = (headers as TargetConfig['headers']).filter(
    ({ value }) => !value.startsWith('$'),
  );
  if (literal.length === 0) return [];
  const names = [...new Set(literal.map(({ name }) => name))].join(', ');
  return [
    `the record and its reports show the value of ${names} as it was given; a secret comes from a variable, as $${SECRET_PREFIX}NAME`,
  ];
}

/** The name of the flag and of the variable of a key. */
function singleOf(key: string, keys: ConfigKeys): string {
  return (keys as Readonly<Record<string, KeySpec | undefined>>)[key]?.single ?? key;
}

function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variable(key: string, keys: ConfigKeys): string {
  return `ASSAY_${kebab(singleOf(key, keys)).replaceAll('-', '_').toUpperCase()}`;
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? hidden(value) : shownData(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Any value may be a URL that was meant for another key. */
function hidden(text: string): string {
  return /:.*@|:\/\//s.test(text) ? withoutPassword(text) : text;
}

/** Data as JSON; a module may export what has none. */
function shownData(value: unknown): string {
  const map = (_key: string, item: unknown): unknown =>
    typeof item === 'string' ? hidden(item) : item;
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value;
  try {
    return JSON.stringify(value, map);
  } catch {
    return typeof value;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

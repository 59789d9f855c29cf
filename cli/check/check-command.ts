import { isAbsolute, relative, resolve, sep } from 'node:path';
import { quote } from '../../contracts/run/curl.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { baseUrlsOf, urlVariableOf } from '../../target/config/config-types.ts';

/** How a check was started. */
export interface Started {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly config: TargetConfig;
  /** Whether the embedded reference service is the target. */
  readonly isEmbedded: boolean;
  /** The program's file, as the process was given it. */
  readonly entry: string;
  /** The folder of this package. */
  readonly root: string;
  readonly cwd: string;
  /** Takes secrets out of a text. */
  readonly withoutSecrets: (text: string) => string;
}

/** Flags that decide what comes back, or where from, and say it as they were given. */
const GIVEN = [
  ...['config', 'env', 'timeoutMs', 'maxRate', 'maxBodyBytes', 'maxContractBytes', 'sourceIp'],
] as const;

/**
 * The line for a POSIX shell that checks the same target in the same way, without what chooses the
 * budget. Header fields hold the names of their secrets, which Assay itself looks up.
 */
export function checkCommand(started: Started): string {
  const { flags, config, isEmbedded, cwd, withoutSecrets } = started;
  const words: string[] = [];
  const add = (flag: string, value: string): void => {
    words.push(`--${flag}`, quote(withoutSecrets(value)));
  };
  if (isEmbedded) words.push('--embedded');
  const { service } = config;
  // There are flags for the APIs of the built-in service alone; the others stand in the configuration.
  const urls = isEmbedded || service !== undefined ? {} : baseUrlsOf(config);
  for (const [api, url] of Object.entries(urls)) add(`${api}-url`, url);
  for (const name of GIVEN) {
    const value = flags[name];
    if (typeof value === 'string') add(kebab(name), value);
  }
  for (const { api, name, value } of config.headers) {
    add('header', `${api === undefined ? '' : `${api}=`}${name}: ${value}`);
  }
  if (config.ca !== undefined) add('ca', shortPath(config.ca, cwd));
  const own = service?.documents.length ?? 0;
  for (const { api, location } of config.contracts.slice(own)) {
    const place = /^https?:/i.test(location) ? location : shortPath(location, cwd);
    add('contract', api === undefined ? place : `${api}=${place}`);
  }
  for (const host of config.allowRefs) add('allow-ref', host);
  // What is driven follows from them, and a replay may count its requests.
  for (const flag of ['only', 'skip'] as const) {
    for (const words of config[flag]) add(flag, words);
  }
  // URLs of nodes are secrets, which variables hold in other shells, too.
  if (flags.rpcOfService === true) words.push('--rpc-of-service');
  if (config.failOn !== 'must') add('fail-on', config.failOn);
  return [...variablesOf(started), starter(started), ...words].join(' ');
}

/** The variables that name base URLs of a service of one's own, if its configuration has others. */
function variablesOf({ config, withoutSecrets }: Started): string[] {
  const { service } = config;
  if (service === undefined) return [];
  return Object.entries(baseUrlsOf(config))
    .filter(([api, url]) => service.urls[api] !== url)
    .map(([api, url]) => `${urlVariableOf(api)}=${quote(withoutSecrets(url))}`);
}

/** The program: of a package that is installed, of a checkout, or of neither seen from here. */
function starter({ entry, root, cwd }: Started): string {
  if (root.split(sep).includes('node_modules')) return 'npx --no -- assay check';
  // What npm runs begins in the folder of the package, which relative paths are of.
  if (resolve(cwd) === resolve(root)) return 'npm run -s assay -- check';
  return `node ${quote(resolve(cwd, entry))} check`;
}

function isWithin(path: string, dir: string): boolean {
  const way = relative(dir, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path from the folder where it leads further down, else as it is. */
function shortPath(path: string, cwd: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) : path;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

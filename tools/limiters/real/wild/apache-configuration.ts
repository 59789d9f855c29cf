import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { need } from './installing.ts';
import { WildMissing, type WildPlace } from './wild-limiter.ts';

const MODULES = '/usr/lib/apache2/modules';
/** What Debian's mod_qos uses and does not load. */
const REGULAR_EXPRESSIONS = 'libpcre.so.3';

/** Debian's Apache with both modules; answers the program. */
export async function findApache(_folder: string, signal: AbortSignal): Promise<string> {
  await need('apache2', ['-v'], 'apt-get install apache2', signal);
  for (const [file, brings] of [
    ['mod_evasive20.so', 'libapache2-mod-evasive'],
    ['mod_qos.so', 'libapache2-mod-qos'],
  ] as const) {
    if (existsSync(join(MODULES, file))) continue;
    throw new WildMissing(`there is no ${file}; install it with: apt-get install ${brings}`);
  }
  return 'apache2';
}

/** Writes the configuration of a server that answers from one file; these lines are the limit. */
export function apacheConfiguration(
  { folder, port }: WildPlace,
  module: string,
  limit: readonly string[],
): string {
  const www = join(folder, 'www', 'v1', 'config');
  mkdirSync(www, { recursive: true });
  writeFileSync(join(www, 'chains'), JSON.stringify({ status: 'success', data: {} }));
  // Started by root, it reads as another user.
  for (const path of [dirname(folder), folder]) chmodSync(path, 0o755);
  const file = join(folder, 'apache.conf');
  writeFileSync(file, [...base(folder, port), module, ...limit, ''].join('\n'));
  return file;
}

/** One process, since mod_evasive counts in each. */
function base(folder: string, port: number): string[] {
  const load = (name: string): string => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`;
  return [
    `ServerRoot "${folder}"`,
    `DefaultRuntimeDir "${folder}"`,
    `PidFile "${join(folder, 'apache.pid')}"`,
    `ErrorLog "${join(folder, 'error.log')}"`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...['mpm_event', 'authz_core', 'mime', 'setenvif'].map(load),
    ...['StartServers 1', 'ServerLimit 1', 'ThreadsPerChild 16', 'MaxRequestWorkers 16'],
    ...['User www-data', 'Group www-data', 'MaxKeepAliveRequests 0'],
    `DocumentRoot "${join(folder, 'www')}"`,
    ...['TypesConfig /dev/null', '<Directory />', '  ForceType application/json', '</Directory>'],
  ];
}

/** Loads mod_evasive. */
export function evasiveModule(): string {
  return `LoadModule evasive20_module ${MODULES}/mod_evasive20.so`;
}

/** Loads mod_qos, and what it needs if that is not loaded with it. */
export function qosModule(): string {
  const file = readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, REGULAR_EXPRESSIONS))
    .find((path) => existsSync(path));
  return [
    ...(file === undefined ? [] : [`LoadFile ${file}`]),
    `LoadModule qos_module ${MODULES}/mod_qos.so`,
  ].join('\n');
}

/** Long because it is one command: its options, what they set, and its life. */

import type { Command } from 'commander';
import { Option } from 'commander';
import { API_NAMES } from '../../contracts/service/wire/apis.ts';
import { given } from '../../contracts/wire/json.ts';
import {
  LIMIT_EXAMPLES,
  parseLimit,
  LimitSyntaxError,
} from '../../fixtures/service/reference/limits.ts';
import type { Limit } from '../../fixtures/service/reference/limits.ts';
import type { ListenOptions, Listening } from '../../fixtures/service/reference/listen.ts';
import type { RedisState } from '../../fixtures/service/reference/limiter/redis.ts';
import type { RateLimitHeaders } from '../../fixtures/service/reference/options.ts';
import {
  RATE_LIMIT_HEADERS,
  REFERENCE_DEFAULTS,
} from '../../fixtures/service/reference/options.ts';
import { withoutPassword } from '../../target/config/without-password.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import type { ExitCode } from '../exit-code.ts';
import { addressHeaderOf } from '../flags/address-header.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { print, notify } from '../output.ts';
import type { AskedOptions } from './serve-fault.ts';

/** The admin token and pre-approved trade keys come from the environment alone. */
const ADMIN_TOKEN = 'ASSAY_ADMIN_TOKEN';
const SERVE_KEYS = 'ASSAY_SERVE_KEYS';
const MIN_TOKEN_CHARACTERS = 8;

/** A limit that was asked for; in an object, since the parser of options takes `null` for nothing. */
interface Chosen {
  readonly limit: Limit | null;
}

interface ServeFlags {
  readonly portBase: number;
  readonly singlePort: boolean;
  readonly seed: number;
  readonly zapLimit?: Chosen;
  readonly tradeLimit?: Chosen;
  readonly tradeKeyLimit?: Chosen;
  readonly rateLimitHeaders: RateLimitHeaders;
  readonly redisUrl?: string;
  readonly approval: 'auto' | 'manual';
  readonly approvalDelay: number;
  readonly addressHeader?: string;
  readonly admin: boolean;
  readonly fault?: string;
  readonly variant?: string;
  readonly listFaults: boolean;
}

/** Adds `assay serve` to the program. */
export function addServe(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('serve')
    .description('run the reference service on loopback')
    .addOption(
      new Option('--port-base <port>', 'zap here, trade, docs and AI on the ports that follow')
        .default(4300)
        .argParser(wholeNumber),
    )
    .option('--single-port', 'all on one port, under /zap, /trade, /docs and /ai', false)
    .addOption(
      new Option('--seed <number>', 'decides chains, tokens, pools and prices')
        .default(1)
        .argParser(wholeNumber),
    )
    .addOption(limitOption('--zap-limit', 'per client address on the zap API'))
    .addOption(limitOption('--trade-limit', 'per client address on the trade API'))
    .addOption(limitOption('--trade-key-limit', 'per key on the trade API'))
    .addOption(
      new Option('--rate-limit-headers <family>', 'how limits are announced')
        .choices(RATE_LIMIT_HEADERS)
        .default('ratelimit-draft-10'),
    )
    .addOption(
      new Option(
        '--redis-url <url>',
        'keep the counts of limits in Redis, so that replicas share them',
      ).argParser(redisUrlOf),
    )
    .addOption(
      new Option('--approval <mode>', 'how registrations for credentials are approved')
        .choices(['auto', 'manual'])
        .default('auto'),
    )
    .addOption(
      new Option('--approval-delay <seconds>', 'with auto: how long a registration is pending')
        .default(1)
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--address-header <name>',
        'believe this header field for the address of a client, as behind a proxy',
      ).argParser(addressHeaderOf),
    )
    .option('--admin', `enable the admin routes; the token is taken from ${ADMIN_TOKEN}`, false)
    .addOption(
      new Option('--fault <id>', 'break one promise, to see what a run makes of it').argParser(
        onceOnly('--fault'),
      ),
    )
    .addOption(
      new Option(
        '--variant <id>',
        'read what the document leaves unspecified in another correct way',
      ).argParser(onceOnly('--variant')),
    )
    .option('--list-faults', 'list the faults and variants, and end', false)
    .addHelpText(
      'after',
      `\nLimits are written as in:\n${LIMIT_EXAMPLES.map((one) => `  ${one}`).join('\n')}`,
    )
    .addHelpText('after', `\nTrade keys that are valid from the start: ${SERVE_KEYS}=key1,key2\n`)
    .action(async (flags: ServeFlags, command: Command) => {
      const named = command.options
        .filter((one) => command.getOptionValueSource(one.attributeName()) === 'cli')
        .map(({ long }) => long ?? '');
      const asked = {
        limits: named.filter((flag) => flag.endsWith('-limit')),
        rateLimitHeaders: named.filter((flag) => flag === '--rate-limit-headers'),
      };
      done(await serve(flags, asked, process.env));
    });
}

/** @throws UsageError when an option is given again, since the last alone would count */
function onceOnly(flag: string): (id: string, before: string | undefined) => string {
  return (id, before) => {
    if (before !== undefined)
      throw new UsageError(`a service has one change: give one ${flag}, not ${before} and ${id}`);
    return id;
  };
}

function limitOption(flag: string, description: string): Option {
  return new Option(`${flag} <limit>`, `${description}, e.g. 100/60, or none`).argParser(
    (text: string): Chosen => {
      try {
        return { limit: parseLimit(text) };
      } catch (error) {
        if (error instanceof LimitSyntaxError) throw new UsageError(`${flag}: ${error.message}`);
        throw error;
      }
    },
  );
}

/** @throws UsageError when the text is no whole number */
function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`"${text}" is no whole number`);
  return Number(text);
}

async function serve(
  flags: ServeFlags,
  asked: AskedOptions,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { alteredBy, faultListing } = await import('./serve-fault.ts');
  if (flags.listFaults) {
    print(faultListing());
    return EXIT.conforms;
  }
  const altered = alteredBy(flags, asked);
  const options = listenOptions(flags, env);
  const listening = await startListening(
    altered === undefined ? options : { ...options, create: altered.create },
  );
  for (const api of API_NAMES) print(`${api.padEnd(6)}${listening.urls[api]}\n`);
  if (altered !== undefined) print(`${altered.note}\n`);
  print('The reference service is up; Ctrl-C ends it.\n');
  await untilStopped(listening);
  return EXIT.conforms;
}

/** @throws UsageError when the limits that were asked for cannot be kept as asked for */
async function startListening(options: ListenOptions): Promise<Listening> {
  const { listen } = await import('../../fixtures/service/reference/listen.ts');
  const { LimitNotSupported } = await import('../../fixtures/service/reference/limiter/limiter.ts');
  try {
    return await listen(options);
  } catch (error) {
    if (error instanceof LimitNotSupported) throw new UsageError(error.message);
    throw error;
  }
}

function listenOptions(flags: ServeFlags, env: NodeJS.ProcessEnv): ListenOptions {
  const { portBase, singlePort, seed, rateLimitHeaders, redisUrl, addressHeader } = flags;
  const adminToken = flags.admin ? adminTokenOf(env) : undefined;
  const { limits } = REFERENCE_DEFAULTS;
  return {
    ...REFERENCE_DEFAULTS,
    seed,
    environment: systemEnvironment(),
    portBase,
    singlePort,
    limits: {
      zap: flags.zapLimit === undefined ? limits.zap : flags.zapLimit.limit,
      trade: flags.tradeLimit === undefined ? limits.trade : flags.tradeLimit.limit,
      tradeKey: flags.tradeKeyLimit === undefined ? limits.tradeKey : flags.tradeKeyLimit.limit,
    },
    rateLimitHeaders,
    apiKeys: (env[SERVE_KEYS] ?? '').split(',').filter((key) => key !== ''),
    approval:
      flags.approval === 'manual'
        ? { mode: 'manual' }
        : { mode: 'auto', delaySeconds: flags.approvalDelay },
    ...(redisUrl === undefined ? {} : { redisUrl, onRedis: notifyOfRedis }),
    ...given({ adminToken, addressHeader }),
  };
}

/** @throws UsageError when there is none, or one that can be guessed */
function adminTokenOf(env: NodeJS.ProcessEnv): string {
  const token = env[ADMIN_TOKEN] ?? '';
  if (token.length >= MIN_TOKEN_CHARACTERS) return token;
  throw new UsageError(
    token === ''
      ? `--admin takes its token from the variable ${ADMIN_TOKEN}, which is not set`
      : `${ADMIN_TOKEN} is shorter than ${MIN_TOKEN_CHARACTERS} characters, so it can be guessed; use a longer one`,
  );
}

/** @throws UsageError when the text is no URL of a Redis; a password in it is not repeated */
function redisUrlOf(text: string): string {
  if (/^rediss?:\/\/./i.test(text) && URL.canParse(text)) {
    const { hostname, pathname } = new URL(text);
    if (hostname !== '' && /^(?:\/\d*)?$/.test(pathname)) return text;
  }
  // What is no URL at all may be nothing but a password.
  const what = /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? `, not "${withoutPassword(text)}"` : '';
  throw new UsageError(`--redis-url takes a URL such as redis://127.0.0.1:6379/0${what}`);
}

function notifyOfRedis(state: RedisState): void {
  notify(
    state.kind === 'lost'
      ? `Redis does not answer (${state.reason}): until it does, limited requests get 503.`
      : 'Redis answers again.',
  );
}

async function untilStopped(listening: Listening): Promise<void> {
  await new Promise<void>((resolve) => {
    // Asked twice it closes all the same, within a moment.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
  await listening.close();
}

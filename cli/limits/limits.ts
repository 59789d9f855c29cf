import { type Command, Option } from 'commander';
import { addShowing } from '../show.ts';
import { allowRefOption, contractOption, maxContractBytesOption } from '../flags/options.ts';
import { addSendingOptions } from '../flags/sending-options.ts';
import type { ExitCode } from '../exit-code.ts';
import { DEPTHS } from '../../load/probe-depth.ts';
import { collected } from '../throttle-status.ts';
import { historyOption } from '../flags/history-flag.ts';
import { LIMITS_BUDGET } from './limits-budget.ts';

const { requestsEach, rejectsEach, seconds, longSeconds, ratePerSecond, loopbackRatePerSecond } =
  LIMITS_BUDGET;

const HELP = `
What it does, bucket by bucket (zap per address, trade per address, trade per key):
  1. finds the limit: requests one after another until one is rejected, then few, well-timed ones
  2. asks whose it is: a few requests of each kind, among plain ones in an order that the seed draws,
     while the bucket is exhausted (another route, method, spelling, address, key, a forged
     X-Forwarded-For, the other API)
  3. holds retryAfter, Retry-After and the rate-limit headers against what it really takes
  4. lets a client through that paces itself by what was measured
--depth quick ends with 1, normal with 3 (2 and 3 use the limit up once more), thorough with 4, which
takes another limit's worth of requests at its pace.
It sends GET /v1/config/chains to zap and POST /v1/quotes without pairs to trade; it builds nothing.

It stops on a 403 or a challenge, on 5xx several times in a row or often, on answers that take three
times as long as at first, and if a wait of more than 15 minutes is asked for (--long looks into that, too).

A limit may reject with another status: nginx with 503, mod_evasive and django with 403. If it looks
like that, a notice says so; --throttle-status 403,503 then has them counted as rejections.

Keys: ASSAY_TRADE_KEY and, for a second one, ASSAY_TRADE_KEY_2, from the environment alone.
Addresses: on loopback the second one is 127.0.0.2. Behind a tunnel, NAT or a container's published port
both may look alike to the service, which then seems to limit more than one: --no-other-address.

The record has run.json, limits.json (what was measured), limits.svg (a plot) and every exchange.
Exit codes: 0 the limits are known and keep what is promised · 1 they do not · 2 wrong use · 3 too
little is known, as when the budget ended or the target was not reached; what is known is reported ·
4 Assay itself failed, or a record is not what it says it is`;

/** Adds `assay limits` to the program. */
export function addLimits(program: Command, done: (code: ExitCode) => void): void {
  addSendingOptions(addShowing(program.command('limits')))
    .description(
      'find and judge the rate limits (default target: the embedded reference service, with small ones)',
    )
    .option('--zap-url <url>', 'base URL of the zap API')
    .option('--trade-url <url>', 'base URL of the trade API')
    .option('--config <file>', 'configuration file; else assay.config.{ts,js,mjs,json,yaml,yml}')
    .addOption(new Option('--trade-key <key>').hideHelp())
    .addOption(
      new Option(
        '--allow-limits <host>',
        'a host other than loopback whose owner agrees to be probed; may be repeated',
      ).argParser((host: string, hosts: readonly string[] | undefined) => [...(hosts ?? []), host]),
    )
    .option('--max-requests <count>', `requests in all (default: ${requestsEach} for each bucket)`)
    .option(
      '--max-rejects <count>',
      `throttled answers in all (default: ${rejectsEach} for each bucket)`,
    )
    .option(
      '--max-rate <per second>',
      `requests per second (default: ${ratePerSecond}; on loopback ${loopbackRatePerSecond})`,
    )
    .option(
      '--max-seconds <seconds>',
      `duration of the run (default: ${seconds}; with --long ${longSeconds})`,
    )
    .addOption(
      new Option(
        '--throttle-status <statuses>',
        'statuses that are rejections by a limit besides 429, as in 403,503; may be repeated',
      ).argParser(collected),
    )
    .option('--long', 'look into windows of more than 15 minutes as well', false)
    .addOption(
      new Option('--depth <depth>', 'how much is asked of each bucket: see below')
        .choices(DEPTHS)
        .default('normal'),
    )
    .option('--source-ip <address>', 'local address to send from')
    .option('--other-source-ip <address>', 'another one, which the target sees as another client')
    .option('--no-other-address', 'do not ask from a second address')
    .option('--timeout-ms <milliseconds>', 'for one exchange (default: 10000)')
    .option('--max-record-bytes <bytes>', 'for the exchanges of the record (default: 1073741824)')
    .option('--seed <number>', 'draws the order of requests that are compared; noted in the record')
    .option('--out <dir>', 'folder of the run record (default: reports/out/<time>)')
    .addOption(historyOption())
    .addOption(contractOption())
    .addOption(allowRefOption())
    .addOption(maxContractBytesOption())
    .addHelpText('after', HELP)
    .action(async (flags: Record<string, unknown>) => {
      // Loaded when it is needed: other commands start faster without.
      const { limits } = await import('./run-limits.ts');
      done(await limits(flags));
    });
}

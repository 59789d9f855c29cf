import { type Command, Option } from 'commander';
import { allowRefOption, contractOption, maxContractBytesOption, wordsOption } from './options.ts';
import { addSendingOptions } from './sending-options.ts';

/** Adds the options that name a target and a budget. */
export function addTargetOptions(command: Command): Command {
  return (
    addSendingOptions(command)
      .option('--zap-url <url>', 'base URL of the zap API')
      .option(
        '--trade-url <url>',
        'base URL of the trade API; its key is taken from ASSAY_TRADE_KEY',
      )
      .option('--docs-url <url>', 'base URL of the documentation host')
      .option('--ai-url <url>', 'base URL of the AI runtime')
      .option('--config <file>', 'configuration file; else assay.config.{ts,js,mjs,json,yaml,yml}')
      // Refused with the reason; without it the parser would propose another option.
      .addOption(new Option('--trade-key <key>').hideHelp())
      .addOption(contractOption())
      .option('--ai-contract <file|url>', 'OpenAPI document of the AI runtime: --contract ai=…')
      .addOption(allowRefOption())
      .addOption(maxContractBytesOption())
      .option('--seed <number>', 'repeats the choices of a run')
      .option('--out <dir>', 'folder of the run record (default: reports/out/<time>)')
      .addOption(
        new Option(
          '--profile <name>',
          'how thorough: gate (1,000 requests), nightly (10,000), release (20,000, twice the evidence); the last two go on until requests or seconds are spent',
        ).default(undefined, 'gate'),
      )
      .option(
        '--regressions <dir>',
        'counterexamples of earlier runs, tried first; new ones are kept there',
      )
      .option(
        '--replay <finding>',
        'shows one finding again: what the replay line of a report says',
      )
      .addOption(
        wordsOption(
          '--only <words>',
          'judges only these rules: ids, globs, sections, operations, APIs',
        ),
      )
      .addOption(wordsOption('--skip <words>', 'leaves these rules out'))
      .addOption(
        new Option(
          '--fail-on <level>',
          'a broken rule of this level or above fails the run',
        ).default(undefined, 'must'),
      )
      .option('--max-requests <count>', 'requests in all (default: by profile)')
      .option(
        '--max-rate <per second>',
        'requests per second over all APIs (default: 20, on loopback as fast as it answers)',
      )
      .option(
        '--max-seconds <seconds>',
        'duration of the run, in nightly and release with judging what it recorded (default: by profile; gate 600)',
      )
      .option('--max-rejects <count>', 'throttled answers (default: by profile; gate 40)')
      .option('--timeout-ms <milliseconds>', 'for one exchange (default: 10000)')
      .option('--max-body-bytes <bytes>', 'for one response (default: 4194304)')
      .option('--max-record-bytes <bytes>', 'for the exchanges of the record (default: 1073741824)')
      .option('--source-ip <address>', 'local address to send from')
  );
}

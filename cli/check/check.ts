import type { Command } from 'commander';
import { Option } from 'commander';
import { againstOption } from './against.ts';
import type { ExitCode } from '../exit-code.ts';
import { historyOption } from '../history/history-flag.ts';
import { addShowing } from '../show.ts';

/** Adds the options that are the same for every command that sends requests to a target. */
export function addSendingOptions(command: Command): Command {
  return command
    .option('--embedded', 'the embedded reference service is the target, and nothing else')
    .option('--env <name>', 'the environment of the configuration file whose values are taken')
    .addOption(
      severalOption(
        '--header <[api=]name: value>',
        'header field of every request; a value $ASSAY_SECRET_NAME is taken from the environment',
      ),
    )
    .option('--ca <file>', 'certificate authorities to trust besides those of Node, in PEM')
    .addOption(severalOption('--label <key=value>', 'a build, a commit: told in run.json'));
}

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

/** `--baseline`, which names the record of an earlier run. */
export function baselineOption(): Option {
  return new Option(
    '--baseline <run>',
    'folder of an earlier run record: what is new, fixed, or otherwise since; it changes no verdict',
  );
}

/** An option that may be given several times. */
export function severalOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** An option of words for rules, comma-separated, that may be given several times. */
function wordsOption(flags: string, description: string): Option {
  return severalOption(flags, `${description}; comma-separated`);
}

/** `--contract`, which may be given several times. */
export function contractOption(): Option {
  return new Option(
    '--contract <[api=]file|url>',
    'OpenAPI document to judge an API by, in place of the built-in operations it also has',
  ).argParser((source: string, sources: readonly string[] | undefined) => [
    ...(sources ?? []),
    source,
  ]);
}

/** `--allow-ref`, which may be given several times. */
export function allowRefOption(): Option {
  return new Option(
    '--allow-ref <host>',
    'another host that contracts may refer to; may be repeated',
  ).argParser((host: string, hosts: readonly string[] | undefined) => [...(hosts ?? []), host]);
}

/** Adds `assay check` to the program. */
export function addCheck(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('check')
    .description(
      'drive the target, judge, report (default target: the embedded reference service)',
    );
  command.option('--allure <dir>', 'results for Allure, into a folder that is empty or not there');
  addShowing(addTargetOptions(command))
    .addOption(baselineOption())
    .addOption(againstOption())
    .addOption(historyOption())
    .action(async (flags: Record<string, unknown>) => {
      // Loaded when it is needed: other commands start faster without.
      const { check } = await import('./run-check.ts');
      done(await check(flags));
    });
}

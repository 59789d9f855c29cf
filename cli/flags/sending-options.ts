import type { Command } from 'commander';
import { severalOption } from './options.ts';

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
    .addOption(severalOption('--label <key=value>', 'a build, a commit: shown in run.json'));
}

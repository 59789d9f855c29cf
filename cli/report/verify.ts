import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';

/** Adds `assay verify` to the program. */
export function addVerify(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('verify')
    .description(
      'check a release certificate: signature, digests, and verdicts judged again, offline',
    )
    .argument('<certificate>', 'file of the certificate')
    .argument('<runs...>', 'folders of the run records that it rests on')
    .option('--key <file>', 'public Ed25519 key in PEM of whoever is trusted to have signed it')
    .option('--config <file>', 'configuration module with the rules of its own that the runs had')
    .option('--max-seconds <seconds>', 'for judging (default: 600 for each run)')
    .action(
      async (
        certificate: string,
        runs: readonly string[],
        flags: Readonly<Record<string, string>>,
      ) => {
        const { verifyRelease } = await import('./run-verify.ts');
        done(await verifyRelease(certificate, runs, flags));
      },
    );
}

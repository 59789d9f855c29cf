import type { Command } from 'commander';
import { UsageError } from '../exit-code.ts';
import { FORMATS } from './report-formats.ts';

/** What `assay report --release` is called with, as it was written. */
export interface ReleaseFlags {
  readonly release: string;
  readonly signingKey?: string;
  readonly out?: string;
  /** The APIs that it speaks of, comma-separated. */
  readonly apis?: string;
  /** Certificate of the release before. */
  readonly previous?: string;
  readonly maxSeconds?: string;
  /** Configuration module with the rules of its own that the runs had. */
  readonly config?: string;
}

/** Adds to `assay report` what makes one report and a certificate of its runs. */
export function addReleaseOptions(command: Command): Command {
  return command
    .option('--release <version>', 'one report and one certificate on all runs, for this release')
    .option(
      '--signing-key <file>',
      'of a release: private Ed25519 key in PEM, else that of the variable ASSAY_SIGNING_KEY',
    )
    .option(
      '--apis <names>',
      'of a release: the APIs that it speaks of, comma-separated (default: those that its runs have URLs of)',
    )
    .option(
      '--previous <certificate>',
      'of a release: the certificate of the one before; release.md then says what changed',
    )
    .option('--out <dir>', 'of a release: folder to write to (default: reports/out/<time>)');
}

/**
 * Whether a release is asked for.
 *
 * @throws UsageError when options are mixed that do not go together
 */
export function isRelease(
  flags: Readonly<Record<string, unknown>>,
): flags is ReleaseFlags & typeof flags {
  const others = [
    ...FORMATS.map(({ flag }) => flag),
    'allure',
    'allure-page',
    'baseline',
    'write-known',
    'prune',
    'environment',
  ];
  const own = ['signing-key', 'out', 'apis', 'previous'];
  const given = (names: readonly string[]): string | undefined =>
    names.find((name) => flags[camel(name)] !== undefined);
  const [one, other] = [given(own), given(others)];
  if (flags.release === undefined) {
    if (one === undefined) return false;
    throw new UsageError(`--${one} is for releases: name one, --release VERSION.`);
  }
  if (other === undefined) return true;
  throw new UsageError(
    `--${other} does not go with --release, which writes release.md and certificate.json. Call assay report twice.`,
  );
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

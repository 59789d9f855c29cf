import type { Command } from 'commander';
import { Option } from 'commander';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { PROFILE_NAMES } from '../../contracts/judging/profile.ts';
import { segmentOf } from '../../load/scenarios/segment.ts';
import { UsageError, type ExitCode } from '../exit-code.ts';
import { severalOption } from '../flags/options.ts';

interface Flags {
  readonly seeds: string;
  readonly profile?: ProfileName;
  readonly only?: readonly string[];
  readonly variantsOnly?: boolean;
  readonly faultsOnly?: boolean;
  readonly part?: string;
  readonly json?: string;
  readonly limits?: boolean;
  readonly load?: boolean;
}

/** Adds `assay self-test` to the program. */
export function addSelfTest(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('self-test')
    .description('every fault against every rule, and every correct variant against all of them')
    .option('--seeds <list>', 'comma-separated seeds, or a range such as 1-20', '1')
    .addOption(
      new Option(
        '--profile <name>',
        'with generated requests and shrinking as in a check; else the drive alone',
      ).choices(PROFILE_NAMES),
    )
    .addOption(
      severalOption('--only <text>', 'only faults and variants whose id or rule contains the text'),
    )
    .option('--variants-only', 'no faults: looks for false alarms alone')
    .option('--faults-only', 'no variants')
    .option(
      '--part <i/n>',
      'the i-th of n parts of them, dealt in turn; the clean service is in each',
    )
    .option('--limits', 'faults and variants of rate limits, found by the probe of `assay limits`')
    .option('--load', 'faults and variants that only load shows, put under load')
    .option('--json <file>', 'write the result as JSON')
    .action(async (flags: Flags) => {
      if (flags.limits === true && flags.load === true) {
        throw new UsageError('--limits and --load are two self-tests: give one of them');
      }
      const { part, ...others } = flags;
      if (part !== undefined && (flags.limits === true || flags.load === true)) {
        throw new UsageError('--part takes a part of neither --limits nor --load');
      }
      if (flags.load === true) {
        const { runLoadSelfTest } = await import('./run-load-self-test.ts');
        done(await runLoadSelfTest({ ...flags, seeds: flags.seeds.split(',').flatMap(seedsOf) }));
        return;
      }
      if (flags.limits === true) {
        const { runLimitsSelfTest } = await import('./run-limits-self-test.ts');
        done(await runLimitsSelfTest({ ...flags, seeds: flags.seeds.split(',').flatMap(seedsOf) }));
        return;
      }
      const { runSelfTest } = await import('./run-self-test.ts');
      const seeds = flags.seeds.split(',').flatMap(seedsOf);
      const segment = part === undefined ? {} : { part: segmentOf(part) };
      done(await runSelfTest({ ...others, ...segment, seeds }));
    });
}

/** More seeds in one range are a mistake. */
const MAX_SEEDS = 1_000;

/** @throws UsageError when the text is neither a whole number nor a range of them */
function seedsOf(text: string): number[] {
  const [, first, last = first] = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (first === undefined || !(count >= 1 && count <= MAX_SEEDS)) {
    throw new UsageError(
      `--seeds: "${text}" is neither a whole number nor a range of at most ${MAX_SEEDS}, e.g. 1-20`,
    );
  }
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

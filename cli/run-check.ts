import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { loadContract } from '../contracts/load-contract.ts';
import type { RunJson } from '../contracts/run.ts';
import { resolveConfig } from '../fixtures/target/config.ts';
import { contractOverrides } from '../fixtures/target/contract-overrides.ts';
import { createRecord } from '../fixtures/target/recorder.ts';
import { createRedactor } from '../fixtures/target/redactor.ts';
import { secretsOf } from '../fixtures/target/secrets.ts';
import type { RunFacts } from '../reports/run-json.ts';
import { readRegressions } from '../suites/properties/regressions.ts';
import { contractsOf } from './check.ts';
import type { ExitCode } from './exit-code.ts';
import { exitCodeOf } from './exit-code.ts';
import { tool } from './package.ts';
import { judgeRecord, writeJudged, writeRun } from './record.ts';
import { runSuites } from './run-suites.ts';
import { show } from './show.ts';
import { stampOf } from './stamp.ts';
import { openTarget } from './target.ts';
import { tell } from './output.ts';

/** Drives the target, judges the record, and reports. */
export async function check(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const { env } = process;
  const cwd = process.cwd();
  const startedAt = new Date();
  const config = await resolveConfig({
    flags: { ...flags, contracts: contractsOf(flags) },
    env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  for (const warning of config.warnings) tell(`assay: ${warning}`);
  // A secret that cannot be kept out of records is refused before there is one.
  createRedactor(secretsOf(env));
  // The same for a regression that cannot be read.
  if (config.regressions !== undefined) readRegressions(config.regressions);
  const contract = await loadContract({ overrides: contractOverrides(config) });
  const recordDir = config.out ?? join(cwd, 'reports', 'out', stampOf(startedAt));
  createRecord(recordDir);
  const target = await openTarget(config);
  const { seed, waivers, profile, replay } = config;
  const facts = (
    end: Pick<RunFacts, 'cutShort' | 'notices'>,
  ): Omit<RunFacts, 'contractSha256' | 'counterexamples' | 'limits'> => ({
    tool: tool(),
    startedAt,
    endedAt: new Date(),
    seed,
    profile,
    ...(replay === undefined ? {} : { replay }),
    target: target.described,
    waivers,
    ...end,
  });
  // Should the process be killed, this is what the record says of itself.
  const unfinished = facts({ cutShort: true, notices: ['The run did not come to its end.'] });
  writeRun(recordDir, await judgeRecord(recordDir, contract, unfinished));

  const finish = async (end: Pick<RunFacts, 'cutShort' | 'notices'>): Promise<ExitCode> => {
    const run = await judgeRecord(recordDir, contract, facts(end));
    writeJudged(recordDir, run);
    show(run, recordDir);
    return exitCodeOf(run.outcome);
  };
  const onInterrupt = (): void => {
    process.removeListener('SIGINT', onInterrupt);
    tell('Interrupted: judging what was recorded. Ctrl-C again to leave at once.');
    const notices = ['The run was interrupted; what it had recorded was judged.'];
    void finish({ cutShort: true, notices }).then((code) => process.exit(code));
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);

  tell(`Checking ${describe(target.described.urls, target.described.kind)}`);
  try {
    const { report, errors } = await runSuites({
      config: target.config,
      seed,
      recordDir,
      version: tool().version,
    });
    const cutShort = report === undefined || report.cutShort || errors.length > 0;
    const notices = [...(report?.notices ?? []), ...errors.map(internalError)];
    return await finish({ cutShort, notices });
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    process.removeListener('SIGTERM', onInterrupt);
    await target.close();
  }
}

function internalError(message: string): string {
  return `Assay itself failed, which says nothing of the target: ${message}`;
}

function describe(urls: RunJson['target']['urls'], kind: RunJson['target']['kind']): string {
  const list = Object.entries(urls).map(([api, url]) => `${api} ${url}`);
  return kind === 'reference' ? 'the embedded reference service' : list.join(', ');
}

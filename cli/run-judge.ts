import { loadContract } from '../contracts/load-contract.ts';
import { resolveConfig } from '../fixtures/target/config.ts';
import { contractOverrides } from '../fixtures/target/contract-overrides.ts';
import { contractsOf } from './check.ts';
import type { ExitCode } from './exit-code.ts';
import { exitCodeOf, UsageError } from './exit-code.ts';
import { tool } from './package.ts';
import { judgeRecord, readRun, RUN_FILE, writeJudged } from './record.ts';
import { show } from './show.ts';

/** Judges the exchanges of a record again, by the rules of this version. */
export async function judgeAgain(
  dir: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  const recorded = readRun(dir);
  if (recorded === undefined) {
    throw new UsageError(`${dir} holds no run record: ${RUN_FILE} is missing`);
  }
  const { contracts, waivers, out } = await resolveConfig({
    flags: { ...flags, contracts: contractsOf(flags) },
    env: {},
    cwd: process.cwd(),
    defaultSeed: recorded.seed,
  });
  const contract = await loadContract({ overrides: contractOverrides({ contracts }) });
  const notices = [...recorded.notices];
  if (contract.sha256 !== recorded.contract.sha256) {
    notices.push('The run was judged by another contract when it was recorded.');
  }
  const run = await judgeRecord(dir, contract, {
    tool: tool(),
    startedAt: new Date(recorded.startedAt),
    endedAt: new Date(recorded.endedAt),
    seed: recorded.seed,
    profile: recorded.profile,
    ...(recorded.replay === undefined ? {} : { replay: recorded.replay }),
    target: recorded.target,
    waivers,
    cutShort: !recorded.complete,
    notices,
  });
  if (out !== undefined) writeJudged(out, run);
  show(run, out ?? dir);
  return exitCodeOf(run.outcome);
}

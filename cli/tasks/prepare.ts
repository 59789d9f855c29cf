import { Judge } from '../../contracts/judge.ts';
import { loadContract } from '../../contracts/load-contract.ts';
import { rulesOfProfile } from '../../contracts/profile.ts';
import { rulesFor } from '../../contracts/registry.ts';
import type { RunJson } from '../../contracts/run.ts';
import type { ContractOverride } from '../../contracts/schema.ts';
import { runJsonOf } from '../../reports/run-json.ts';
import { judgingTool } from '../package.ts';
import type { RunSetting } from '../run-setting.ts';

/** What preparing a run takes. */
export interface PrepareInput {
  readonly contracts: readonly ContractOverride[];
  readonly setting: RunSetting;
}

/**
 * Reads the contract, and says what `run.json` is of a run that never came to its end: every rule not
 * reached.
 *
 * @throws ContractError when a contract cannot be used
 */
export async function prepareTask({ contracts, setting }: PrepareInput): Promise<RunJson> {
  const contract = await loadContract({ overrides: contracts });
  const { recordId, ...told } = setting;
  const only = setting.replay?.split('@')[0];
  const judge = new Judge(rulesOfProfile(rulesFor(contract), setting.profile, only), contract);
  return runJsonOf(judge, {
    ...told,
    tool: judgingTool(),
    endedAt: setting.startedAt,
    contract: { sha256: contract.sha256 },
    record: { id: recordId },
    counterexamples: [],
    cutShort: true,
    notices: ['The run did not come to its end.'],
  });
}

import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { fetchContractFiles } from '../../contracts/document/fetch-contract.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { rulesOfRun } from '../../contracts/judging/profile.ts';
import type { Service } from '../../contracts/service-type.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
import { type ContractsOfConfig, readContracts } from '../../target/config/contract-overrides.ts';
import { secretsOf } from '../../target/config/secrets.ts';
import { refuseWordsOf } from '../../target/secrets/unfit-secret.ts';
import { proxiesOf, useForFetch } from '../../target/transport/undici-transport.ts';
import { runJsonOf } from '../../reports/run/run-json.ts';
import { registryWith } from '../own-rules.ts';
import { judgingTool } from '../package.ts';
import { refuseUnknownOperations } from './unknown-operations.ts';
import { refuseUnknownWaivers, refuseUnknownWords } from '../unknown-words.ts';
import type { RunSetting } from '../run-setting.ts';
import { keptContracts } from '../record/contracts-record.ts';
import { contractRow } from './judge-record.ts';
import { serviceOf } from '../judged-service.ts';

/** What preparing a run takes. */
export interface PrepareInput {
  readonly config: ContractsOfConfig;
  readonly setting: RunSetting;
  /** Operations that the run is to ask for; each must be one of a contract. */
  readonly operations?: readonly string[];
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** A record whose contracts are taken, in place of reading those of the configuration. */
  readonly contractsOf?: string;
}

/** What a run begins with. */
export interface PreparedRun {
  /** What `run.json` says of a run that never came to its end: every rule not reached. */
  readonly run: RunJson;
  /** All that was read of the contracts that the user named; nobody reads them again. */
  readonly contractFiles: ContractFiles;
}

/** @throws SecretUnfit when a secret of the environment stands in a document that a run is judged by */
async function refuseWordsOfContracts(
  { documents }: Pick<Service, 'documents'>,
  named: ContractFiles,
): Promise<void> {
  const secrets = secretsOf(process.env);
  if (Object.keys(secrets).length === 0) return;
  const files = [...(await fetchContractFiles(documents)), ...named].flatMap((one) => one.files);
  refuseWordsOf(
    files.map(({ text }) => text),
    secrets,
  );
}

/**
 * Reads the contracts of a run, once.
 *
 * @throws ContractError when one cannot be used
 * @throws SecretUnfit when a secret stands in one
 * @throws UsageError when a word that chooses rules, a waiver or an operation means none
 */
export async function prepareTask(input: PrepareInput): Promise<PreparedRun> {
  const { config, setting, operations = [], ca, contractsOf } = input;
  useForFetch(given({ ca, proxies: proxiesOf(process.env) }));
  const service = serviceOf(setting.target);
  const contractFiles =
    contractsOf === undefined
      ? await readContracts(config, service.apis)
      : keptContracts(contractsOf);
  const contract = await loadContractOf(service, { files: contractFiles });
  if (contractsOf === undefined) await refuseWordsOfContracts(service, contractFiles);
  const { recordId, ownRules, ...reported } = setting;
  const { registry, own } = await registryWith(ownRules, contract, service);
  const all = registry.ofRun(contract);
  refuseUnknownWords(all, setting.choice, service);
  refuseUnknownWaivers(all, setting.waivers, service);
  refuseUnknownOperations(
    contract.operations.map(({ id }) => id),
    operations,
  );
  const { rules, leftOut } = rulesOfRun(all, setting);
  const judge = new Judge(rules, contract);
  const run = runJsonOf(judge, {
    ...reported,
    ...given({ ownRulesRow: own }),
    tool: judgingTool(),
    leftOut,
    endedAt: setting.startedAt,
    contract: contractRow(contract, contractFiles),
    record: { id: recordId },
    clauses: [],
    limitLedger: service.limitLedger,
    counterexamples: [],
    cutShort: true,
    notices: ['The run did not come to its end.'],
    notJudged: 'the record of the run was not judged',
  });
  return { run, contractFiles };
}

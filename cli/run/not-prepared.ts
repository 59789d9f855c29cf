import { USUAL_FILE_BYTES } from '../../contracts/document/contract-limits.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { OutOfTime, UsageError } from '../exit-code.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/** Which contracts were to be read, and what they may take. */
interface ReadContracts {
  readonly contracts: TargetConfig['contracts'];
  readonly maxContractBytes: number | undefined;
}

/** What is said where the contracts of a run could not be read to the end. */
export function notPrepared(
  by: EndedBy,
  { contracts, maxContractBytes = USUAL_FILE_BYTES }: ReadContracts,
): Error {
  if (contracts.length === 0 && by === 'time') return new OutOfTime();
  const named = contracts.map(({ location }) => location).join(', ');
  const [what, more] = {
    memory: [
      'took more memory than it may',
      `, or allow more with --max-contract-bytes above ${maxContractBytes}`,
    ],
    time: ['did not come to an end in time', ', or more time with --max-seconds'],
    silence: ['got no further for ten seconds of computing', ''],
    request: ['was ended', ''],
  }[by];
  return new UsageError(`reading the contract ${named} ${what}. Give a smaller one${more}.`);
}

import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { requestGeneratorOf } from './own-generator-requests.ts';
import { readGenerators } from '../../target/config/own-generators.ts';
import {
  type OwnJudging,
  type OwnRulesSource,
  readJudging,
  valuesAt,
} from '../../target/config/own-rules.ts';

/** What a configuration brings to judge and to drive by. */
export interface OwnCode extends OwnJudging {
  readonly generators: readonly RequestGenerator[];
}

/**
 * What a configuration brings that was read before, so that it is right; nothing if there is no
 * source. The module is evaluated in the thread that asks. Apart from its rules alone: what generates
 * takes a while to load.
 *
 * @param apis those of the service
 */
export async function loadOwnCode(
  source: OwnRulesSource | undefined,
  apis: readonly ApiName[],
): Promise<OwnCode> {
  const values = await valuesAt(source);
  return {
    ...readJudging(values, apis),
    generators: readGenerators(values.generators ?? [], apis).map(requestGeneratorOf),
  };
}

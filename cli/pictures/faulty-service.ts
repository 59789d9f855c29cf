import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { withStandardRequests } from '../../fixtures/service/faults/inputs/standard-requests.ts';
import { createReferenceService } from '../../fixtures/service/reference/index.ts';
import { listen, type Listening } from '../../fixtures/service/reference/listen.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import { systemEnvironment } from '../environment.ts';

/** Three faults, from a wrong amount to a limit that is none. */
export const THREE_FAULTS: readonly string[] = [
  'zap-min-return-added',
  'trade-tx-id-twice',
  'limit-without-maximum',
];

/** Serves the reference service with several faults at once, on free ports of loopback. */
export function serveFaults(ids: readonly string[]): Promise<Listening> {
  const faults = ids.map((id) => {
    const fault = FAULTS.find((one) => one.id === id);
    if (fault === undefined) throw new Error(`there is no fault ${id}`);
    return fault;
  });
  return listen({
    ...REFERENCE_DEFAULTS,
    seed: 1,
    environment: systemEnvironment(),
    host: '127.0.0.1',
    portBase: 0,
    singlePort: false,
    create: (options) => {
      const plain = createReferenceService(options);
      const broken = faults.reduce((service, { apply }) => apply(service, options.seed), plain);
      return withStandardRequests(broken);
    },
  });
}

/** The options of the command line that name its URLs. */
export function targetsOf({ urls }: Listening): string[] {
  return (['zap', 'trade', 'docs', 'ai'] as const).flatMap((api) => [`--${api}-url`, urls[api]]);
}

import { FAULTS } from '../../../fixtures/service/faults/catalogue.ts';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import type { ReferenceOptions } from '../../../fixtures/service/reference/index.ts';
import {
  createCache,
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { VARIANTS } from '../../../fixtures/service/variants/variants.ts';
import type { Specimen, TestedService } from '../../self-test/tested-service.ts';
import { DRIVEN } from '../driving.ts';
import { IN_PROCESS_URLS } from '../in-process-urls.ts';

/** A service made of the reference service. */
export interface Case {
  readonly apply: Decorator;
  readonly options?: Partial<ReferenceOptions>;
  readonly breaks?: string;
}

/** The reference service as it is. */
const CLEAN: Case = { apply: (service) => service };

/** Services of one seed answer most requests alike. */
const CACHE = createCache();

/** What the rules of the interface document are tested with. */
export const TESTED: TestedService = {
  driven: DRIVEN,
  faults: FAULTS,
  variants: VARIANTS,
  // What other faults do to a transaction would only be found twice.
  executes: ({ kind, id }) =>
    kind !== 'fault' || caseOf({ kind, id }).breaks?.includes('.simulated.') === true,
  create(specimen, world) {
    const { apply, options } = caseOf(specimen);
    const own = {
      ...defaultReferenceOptions({ ...world, baseUrls: IN_PROCESS_URLS }),
      cache: CACHE,
    };
    return apply(createReferenceService({ ...own, ...options }), world.seed);
  },
};

function caseOf({ kind, id }: Specimen): Case {
  if (kind === 'clean') return CLEAN;
  const known: readonly (Case & { readonly id: string })[] = kind === 'fault' ? FAULTS : VARIANTS;
  const found = known.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${kind} ${id}`);
  return found;
}

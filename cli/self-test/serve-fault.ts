import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import type { Fault, Variant } from '../../fixtures/service/faults/fault.ts';
import type { LoadFault, LoadVariant } from '../../fixtures/service/faults/limits/load-kit.ts';
import { LOAD_FAULTS } from '../../fixtures/service/faults/limits/load.ts';
import { LIMIT_ODDITIES } from '../../fixtures/service/faults/limits/limit-oddities.ts';
import { LIMIT_FAULTS } from '../../fixtures/service/faults/limits/limits.ts';
import { alteredUnder } from '../../fixtures/service/faults/mounted.ts';
import { withStandardRequests } from '../../fixtures/service/faults/inputs/standard-requests.ts';
import { VARIANTS } from '../../fixtures/service/variants/variants.ts';
import { LIMIT_VARIANTS } from '../../fixtures/service/variants/limits/limits.ts';
import { LOAD_VARIANTS } from '../../fixtures/service/variants/limits/load.ts';
import type { ReferenceOptions } from '../../fixtures/service/reference/index.ts';
import { createReferenceService } from '../../fixtures/service/reference/index.ts';
import type { ReferenceService } from '../../fixtures/service/reference/service.ts';
import { UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';

/** Those of limits show under `assay limits` alone, those of load under load. */
const SERVED_FAULTS: readonly (Fault | LoadFault)[] = [...FAULTS, ...LIMIT_FAULTS, ...LOAD_FAULTS];
const SERVED_VARIANTS: readonly (Variant | LoadVariant)[] = [
  ...VARIANTS,
  ...LIMIT_VARIANTS,
  ...LOAD_VARIANTS,
  ...LIMIT_ODDITIES.map(({ summary: reads, ...oddity }) => ({ ...oddity, reads })),
];

/** A reference service that is not as it should be, or is so in another way. */
export interface Altered {
  /** What a person must know of the service. */
  readonly note: string;
  readonly create: (options: ReferenceOptions) => ReferenceService;
}

/** Words of the user by the option of the reference service that they set. */
export type AskedOptions = Readonly<Partial<Record<keyof ReferenceOptions, readonly string[]>>>;

/**
 * What `--fault` and `--variant` ask for.
 *
 * @param asked what else is asked of the service, and by which words
 * @returns undefined when they ask for nothing
 * @throws UsageError when an id is not known, both are given, or another option asks for what the change needs otherwise
 */
export function alteredBy(
  { fault, variant }: { readonly fault?: string; readonly variant?: string },
  asked: AskedOptions,
): Altered | undefined {
  if (fault !== undefined && variant !== undefined) {
    throw new UsageError('a service has a fault or is a variant: give --fault or --variant');
  }
  if (fault !== undefined) {
    const found = findIn(SERVED_FAULTS, fault, 'fault');
    requireFree(found, asked);
    const { id, summary, breaks } = found;
    return altered(found, `It has the fault ${id}: ${summary}\nThe rule ${breaks} must catch it.`);
  }
  if (variant === undefined) return undefined;
  const found = findIn(SERVED_VARIANTS, variant, 'variant');
  requireFree(found, asked);
  return altered(found, `It is the variant ${found.id}, which is correct too: ${found.reads}`);
}

function requireFree(
  { id, options = {} }: Pick<LoadFault, 'id' | 'options'>,
  asked: AskedOptions,
): void {
  const taken = Object.keys(options).flatMap((key) => asked[key as keyof ReferenceOptions] ?? []);
  if (taken.length === 0) return;
  throw new UsageError(`${id} sets what it needs by itself: leave out ${taken.join(' and ')}`);
}

function findIn<T extends { readonly id: string }>(all: readonly T[], id: string, kind: string): T {
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  const near = didYouMean(
    id,
    all.map((one) => one.id),
  );
  throw new UsageError(`there is no ${kind} ${id}.${near} "assay serve --list-faults" lists all.`);
}

function altered(
  { apply, options: wanted }: Pick<LoadFault, 'apply' | 'options'>,
  note: string,
): Altered {
  return {
    note,
    create: (options) => {
      const { seed, environment } = options;
      const { now, sleep = () => Promise.resolve() } = environment;
      const plain = createReferenceService({ ...options, ...wanted });
      const alter = (service: ReferenceService): ReferenceService =>
        apply(service, seed, { now, sleep });
      const { mountPaths } = options;
      return withStandardRequests(
        mountPaths === undefined ? alter(plain) : alteredUnder(mountPaths, plain, alter),
      );
    },
  };
}

/** All faults with the rule that each breaks, then all variants. */
export function faultListing(): string {
  const lines = SERVED_FAULTS.map(
    ({ id, breaks, subtle, summary }) =>
      `  ${id}\n    breaks ${breaks}${subtle ? ', subtly' : ''}: ${summary}`,
  );
  const variants = SERVED_VARIANTS.map(({ id, reads }) => `  ${id}\n    ${reads}`);
  const counts = `${SERVED_FAULTS.length} faults, ${SERVED_VARIANTS.length} variants`;
  return ['Faults', ...lines, '', 'Variants', ...variants, '', counts, ''].join('\n');
}

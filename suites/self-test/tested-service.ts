import type { DrivenService } from '../driven-service.ts';
import type { InProcessService } from '../properties/in-process.ts';

/** A fault as far as a self-test grades it: the promise that it breaks. */
export interface PlantedFault {
  /** Words joined by hyphens; unique among the faults. */
  readonly id: string;
  /** The rule that must catch it. */
  readonly breaks: string;
  /** Shows only in some answers: one entry, one size, one in several. */
  readonly subtle: boolean;
  /** Other must-rules that it breaks as well, each with the reason why that cannot be helped. */
  readonly alsoBreaks?: Readonly<Record<string, string>>;
}

/** Which service a self-test wants: the reference service as it is, with a fault, or as a variant. */
export interface Specimen {
  readonly kind: 'clean' | 'fault' | 'variant';
  /** Of the fault or the variant; empty for the clean service. */
  readonly id: string;
}

/** What a service in a self-test has of the world around it, so that a case repeats exactly. */
export interface SpecimenWorld {
  readonly seed: number;
  readonly environment: { readonly now: () => number; readonly randomUint32: () => number };
}

/** A service that is closed when its case is through. */
export interface ClosableService extends InProcessService {
  readonly close: () => Promise<void>;
}

/** What a service brings so that its rules are tested: a correct one of its own, and wrong ones. */
export interface TestedService {
  readonly driven: DrivenService;
  readonly faults: readonly PlantedFault[];
  /** Different, equally correct readings of what the documents leave open. */
  readonly variants: readonly { readonly id: string }[];
  /** Whether what it builds is executed on the nodes that it names. */
  readonly executes: (specimen: Specimen) => boolean;
  /** @throws Error when there is no such fault or variant */
  readonly create: (specimen: Specimen, world: SpecimenWorld) => ClosableService;
}

import { DOCUMENT } from '../contracts/service/index.ts';
import type { Service } from '../contracts/service-type.ts';

/** The service that Assay judges: the only place where the rooms' parts of it come together. */
export const SERVICE: Service = DOCUMENT;

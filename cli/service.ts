import { DOCUMENT } from '../contracts/service/index.ts';
import type { Service } from '../contracts/service-type.ts';
import type { ProbedService } from '../load/probed-service.ts';
import { PROBED } from '../load/service/index.ts';

/** The service that Assay judges: the only place where the rooms' parts of it come together. */
export const SERVICE: Service & ProbedService = { ...DOCUMENT, ...PROBED };

/** The module from which threads that only judge take the service: it loads nothing else. */
export const JUDGED_SERVICE: string = new URL('./judged-service.js', import.meta.url).href;

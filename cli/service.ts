import { DOCUMENT } from '../contracts/service/index.ts';
import type { Service } from '../contracts/service-type.ts';

/** The service that Assay judges: the only place where the rooms' parts of it come together. */
export const SERVICE: Service = DOCUMENT;

/** The module from which threads that only judge take the service: it loads nothing else. */
export const JUDGED_SERVICE: string = new URL('../contracts/service/index.js', import.meta.url)
  .href;

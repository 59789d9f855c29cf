import type { DrivenService } from '../suites/driven-service.ts';
import { DRIVEN } from '../suites/service/driving.ts';

/**
 * The service that Assay drives. Apart from `service.ts`, which is enough to judge: what drives takes
 * a while to load, and much memory. Threads that drive are given the URL of this module.
 */
export const SERVICE: DrivenService = DRIVEN;

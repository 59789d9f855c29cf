import type { LoadEngine } from '../../load/engine.ts';

/**
 * The engines that can be asked for, the default first. Apart from the engines themselves, so that the help of
 * `assay load` loads none of them.
 */
export const ENGINE_NAMES: readonly LoadEngine['name'][] = ['open-loop', 'autocannon', 'k6'];

import type { LoadEngine } from '../load/engines/engine.ts';
import { createOpenLoopEngine, type OpenLoopOptions } from '../load/engines/open-loop.ts';

/** The engine that is asked for: plain data, fit for another thread. */
export interface EngineWish {
  readonly name: LoadEngine['name'];
}

/** The engines that can be asked for, the default first. */
export const ENGINE_NAMES: readonly LoadEngine['name'][] = ['open-loop'];

/** The engine of a run. */
export function engineOf(_wish: EngineWish, options: OpenLoopOptions): LoadEngine {
  return createOpenLoopEngine(options);
}

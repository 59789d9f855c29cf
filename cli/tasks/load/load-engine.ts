import { createAutocannonEngine } from '../../../load/engines/autocannon/autocannon.ts';
import type { LoadEngine } from '../../../load/engines/engine.ts';
import type { K6Binary } from '../../../load/engines/k6/k6-binary.ts';
import { k6Engine } from '../../../load/engines/k6/k6.ts';
import {
  createOpenLoopEngine,
  type OpenLoopOptions,
} from '../../../load/engines/open-loop/open-loop.ts';
import type { Segment } from '../../../load/scenarios/segment.ts';
import type { Threshold } from '../../../contracts/run/load/threshold.ts';

/** The engine that is asked for: plain data, fit for another thread. */
export interface EngineWish {
  readonly name: LoadEngine['name'];
  /** The program, of the engine k6. */
  readonly k6?: K6Binary;
  /** Further outputs of k6's own. */
  readonly k6Outputs?: readonly string[];
}

/** The engines that can be asked for, the default first. */
export const ENGINE_NAMES: readonly LoadEngine['name'][] = ['open-loop', 'autocannon', 'k6'];

/** What an engine is made with besides. */
export interface EngineSetting extends OpenLoopOptions {
  /** Of the answers, from 0 to 1. */
  readonly judgeShare: number;
  readonly thresholds: readonly Threshold[];
  /** Ids of the rules on single answers that judge. */
  readonly rules: readonly string[];
  readonly segment?: Segment;
}

/** The engine of a run. */
export function engineOf(wish: EngineWish, setting: EngineSetting): LoadEngine {
  const { judgeShare, thresholds, rules, segment, ...options } = setting;
  switch (wish.name) {
    case 'open-loop':
      return createOpenLoopEngine(options);
    case 'autocannon':
      return createAutocannonEngine(options);
    case 'k6': {
      if (wish.k6 === undefined) throw new Error('no k6 was looked for');
      return k6Engine({
        ...{ binary: wish.k6, sender: options.outgoing, env: process.env, judgeShare },
        ...{ thresholds, rules },
        ...(segment === undefined ? {} : { segment }),
        ...(wish.k6Outputs === undefined ? {} : { outputs: wish.k6Outputs }),
      });
    }
  }
}

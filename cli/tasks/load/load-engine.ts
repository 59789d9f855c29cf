import { createRequire } from 'node:module';
import { given } from '../../../contracts/wire/json.ts';
import { createAutocannonEngine } from '../../../load/engines/autocannon/autocannon.ts';
import type { LoadEngine } from '../../../load/engine.ts';
import type { K6Binary } from '../../../load/engines/k6/k6-binary.ts';
import { k6Engine } from '../../../load/engines/k6/k6.ts';
import {
  createOpenLoopEngine,
  type OpenLoopOptions,
} from '../../../load/engines/open-loop/open-loop.ts';
import type { Segment } from '../../../load/scenarios/segment.ts';
import type { Threshold } from '../../../contracts/run/load/threshold.ts';
import { tool } from '../../package.ts';

/** The engine that is asked for: plain data, fit for another thread. */
export interface EngineWish {
  readonly name: LoadEngine['name'];
  /** The program, of the engine k6. */
  readonly k6?: K6Binary;
  /** Further outputs of k6's own. */
  readonly k6Outputs?: readonly string[];
}

/** What an engine is made with besides. */
export interface EngineSetting extends OpenLoopOptions {
  /** Of the answers, from 0 to 1. */
  readonly judgeShare: number;
  readonly thresholds: readonly Threshold[];
  /** Ids of the rules on single answers that judge. */
  readonly rules: readonly string[];
  readonly segment?: Segment;
}

/** Of the program that sends: k6 and autocannon have versions of their own. */
export function engineVersion({ name, k6 }: EngineWish): string {
  if (name !== 'autocannon') return k6?.version ?? tool().version;
  const { version } = createRequire(import.meta.url)('autocannon/package.json') as {
    readonly version: string;
  };
  return version;
}

/** The engine of a run, or of one of its rounds, from 0. */
export function engineOf(wish: EngineWish, setting: EngineSetting, round = 0): LoadEngine {
  const { judgeShare, thresholds, rules, segment, outgoing: plain, ...rest } = setting;
  // A service that remembers Idempotency-Keys would answer a later round with what it said in the first.
  const outgoing = round === 0 ? plain : { ...plain, run: `${plain.run ?? ''}/round ${round + 1}` };
  const options = { ...rest, outgoing };
  switch (wish.name) {
    case 'open-loop':
      return createOpenLoopEngine(options);
    case 'autocannon':
      return createAutocannonEngine(options);
    case 'k6': {
      if (wish.k6 === undefined) throw new Error('no k6 was looked for');
      return k6Engine({
        ...{ binary: wish.k6, sender: outgoing, env: process.env, judgeShare, thresholds, rules },
        ...given({ segment, outputs: wish.k6Outputs }),
      });
    }
  }
}

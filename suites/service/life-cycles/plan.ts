/** What sequences of life cycles are made from: each cycle's own, and any of them. */

import fc from 'fast-check';
import { credentialCommands, keyLives, registrations } from './credential-commands.ts';
import { keyCommands, keyStory } from './key-commands.ts';
import type { Commands, LifeCycleWorld } from './life-cycle-world.ts';
import { filterWalk, poolCommands } from './pool-commands.ts';

export type { Commands, LifeCycleWorld };
export {
  credentialCommands,
  filterWalk,
  keyCommands,
  keyLives,
  keyStory,
  poolCommands,
  registrations,
};

/** Any sequence of any one cycle, as far as the world has what it needs. */
export function commandsArbitrary(world: LifeCycleWorld): Commands {
  return fc.oneof<Commands[]>(
    keyCommands(world, 'zap'),
    keyCommands(world, 'trade'),
    credentialCommands(world),
    poolCommands(world),
  );
}

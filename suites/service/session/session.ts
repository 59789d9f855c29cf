import type { Session as SessionOf } from '../../driven-service.ts';
import type { LearnedWorld } from './world.ts';

/** A drive through a target of the interface document. */
export type Session = SessionOf<LearnedWorld>;

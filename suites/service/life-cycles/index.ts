import fc from 'fast-check';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { isOwn } from '../../drive/own-target.ts';
import type { Session } from '../session/session.ts';
import { agentAuthFormsIn } from './agent-auth-forms.ts';
import type { Command, JsonBody } from './commands.ts';
import { CredentialRunner } from './credential.ts';
import { IdempotencyRunner } from './idempotency.ts';
import type { Commands, LifeCycleWorld } from './plan.ts';
import {
  credentialCommands,
  filterWalk,
  keyCommands,
  keyLives,
  keyStory,
  poolCommands,
  registrations,
} from './plan.ts';
import { PoolWalk } from './pool-walk.ts';

/** Runs commands one after the other, on one model of what was done so far. */
export type Runner = (commands: readonly Command[]) => Promise<void>;

/** A runner with nothing done so far. */
function createRunner(session: Session): Runner {
  const { clock } = session;
  const idempotency = new IdempotencyRunner(session);
  const wait = clock === undefined ? undefined : (ms: number) => clock.sleep(ms);
  const credentials = new CredentialRunner(session, wait);
  const pools = new PoolWalk(session);
  return async (commands) => {
    for (const command of commands) {
      if (command.cycle === 'idempotency') await idempotency.run(command);
      else if (command.cycle === 'credential') await credentials.run(command);
      else await pools.run(command);
    }
  };
}

/** Runs a sequence of commands by itself; exchanges go to the session's client, marked for rules. */
export async function runCommands(session: Session, commands: readonly Command[]): Promise<void> {
  await createRunner(session)(commands);
}

/** The parts of the life cycles, each for its place in a drive. */
export interface LifeCycles {
  /**
   * Registers for credentials, so that they may be approved while other things are asked for. Draws
   * nothing from the session's random choices.
   *
   * @param published the answer that held the published contract
   */
  readonly register: (published: Exchange | undefined) => Promise<void>;
  /** Idempotency-Key on one API, over bodies that it served. */
  readonly keys: (api: 'zap' | 'trade', bodies: readonly JsonBody[]) => Promise<void>;
  /** Pools while filters are added and taken away. */
  readonly pools: () => Promise<void>;
  /** What was registered is claimed, used and revoked. */
  readonly credentials: (tradeBodies: readonly JsonBody[]) => Promise<void>;
}

/**
 * The life cycles of a session: with a depth of 0 none, of 1 the shortest sequences that are evidence
 * for each rule, with more as many random ones besides.
 */
export function driveLifeCycles(session: Session, depth: number): LifeCycles {
  const runner = createRunner(session);
  let forms: LifeCycleWorld['forms'];
  const world = (more: Partial<LifeCycleWorld>): LifeCycleWorld => ({
    ...{ zapBodies: [], tradeBodies: [], pools: session.world.pools },
    quotesForm: session.world.quotesForm,
    ...(forms === undefined ? {} : { forms }),
    ...more,
  });
  const run = async (first: Commands, others: Commands): Promise<void> => {
    if (depth <= 0) return;
    await runner(sampled(session, first));
    for (let more = 1; more < depth; more += 1)
      await runCommands(session, sampled(session, others));
  };
  return {
    register: async (published) => {
      if (depth <= 0 || published === undefined || !mayRegister(published.request.url)) return;
      const { outcome } = published;
      forms = agentAuthFormsIn(outcome.kind === 'response' ? outcome.response.body.text : '');
      await runner(registrations(forms));
    },
    keys: async (api, bodies) => {
      const lifeWorld = world(api === 'zap' ? { zapBodies: bodies } : { tradeBodies: bodies });
      await run(keyStory(lifeWorld, api), keyCommands(lifeWorld, api));
    },
    pools: async () => {
      await run(filterWalk(world({})), poolCommands(world({})));
    },
    credentials: async (tradeBodies) => {
      if (forms === undefined) return;
      await run(keyLives(world({ tradeBodies })), credentialCommands(world({ tradeBodies })));
    },
  };
}

/** One sequence; the same seed of the session makes the same one. */
function sampled<C extends Command>({ random }: Session, commands: Commands<C>): readonly C[] {
  const [plan = []] = fc.sample(commands, { seed: random.integer(0, 0x7fffffff), numRuns: 1 });
  return plan;
}

/**
 * A registration may keep a person busy who reviews it (section 5.6), and stays behind: only a
 * service of one's own is asked for credentials.
 */
export function mayRegister(docsUrl: string): boolean {
  return isOwn(docsUrl);
}

import type { Plan, Row } from './row.ts';

/** What a run may take beyond its limit and the exchange on its way. */
const GRACE_SECONDS = 5;
/** What a command without a time limit of its own may take. */
const OTHERWISE_SECONDS = { refused: 10, judge: 25, serve: 15 } as const;
/** Whatever the target, contract or record holds. */
const MAX_MEGABYTES = 400;

/** How long and how much a row may take. */
export interface Bounds {
  readonly seconds: number;
  readonly megabytes: number;
}

/** The bounds of a row: those of its arguments, times the slack of a busy machine. */
export function boundsOf({ command, exits }: Row, plan: Plan, slack: number): Bounds {
  const megabytes = plan.megabytes ?? MAX_MEGABYTES;
  if (plan.seconds !== undefined) return { seconds: plan.seconds * slack, megabytes };
  const reported = reportedSeconds(plan.args);
  // Rows give a busy machine more by the flag itself.
  if (reported !== undefined) return { seconds: reported + GRACE_SECONDS * slack, megabytes };
  if (exits.every((exit) => exit === 2))
    return { seconds: OTHERWISE_SECONDS.refused * slack, megabytes };
  return { seconds: OTHERWISE_SECONDS[command === 'serve' ? 'serve' : 'judge'] * slack, megabytes };
}

function reportedSeconds(args: readonly string[]): number | undefined {
  const valueOf = (flag: string): number | undefined => {
    const at = args.lastIndexOf(flag);
    return at === -1 ? undefined : Number(args[at + 1]);
  };
  const maxSeconds = valueOf('--max-seconds');
  if (maxSeconds === undefined || !Number.isFinite(maxSeconds)) return undefined;
  return maxSeconds + (valueOf('--timeout-ms') ?? 10_000) / 1000;
}

import { UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';

/** A service to be tested. */
interface Task {
  readonly kind: string;
  readonly id: string;
}

/** What the texts of `--only` are compared with. */
interface Names<T> {
  readonly has: (task: T, text: string) => boolean;
  /** What none of them has, in words. */
  readonly what: string;
  readonly known: readonly string[];
}

/**
 * The tasks that have one of the texts of `--only`, and the clean service; all if there is no text.
 *
 * @throws UsageError if a text chooses nothing
 */
export function chosenTasks<T extends Task>(
  tasks: readonly T[],
  only: readonly string[] | undefined,
  { has, what, known }: Names<T>,
): T[] {
  if (only === undefined) return [...tasks];
  const others = tasks.filter(({ kind }) => kind !== 'clean');
  const chosen = only.map((text) => others.filter((task) => has(task, text)));
  const [none] = only.filter((_, at) => chosen[at]?.length === 0);
  if (none !== undefined)
    throw new UsageError(`--only: no ${what} has "${none}" in its id.${didYouMean(none, known)}`);
  const wanted = new Set(chosen.flat());
  return tasks.filter((task) => task.kind === 'clean' || wanted.has(task));
}

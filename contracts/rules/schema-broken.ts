import type { AnswerJudgement, Broken } from '../judging/rule.ts';
import type { SchemaFault } from '../document/schema.ts';
import type { View } from '../judging/view.ts';

/** Most answers have none, and many rules ask. */
const NOTHING_BROKEN: readonly Broken[] = [];

/**
 * What is broken by those departures from the schema that are the business of a rule; `too much` if none of
 * them was found and not all of the body was looked at.
 *
 * @param isMine which ones those are
 */
export function brokenBySchema(
  view: View,
  isMine: (fault: SchemaFault) => boolean,
): AnswerJudgement {
  const { listed, isComplete } = view.schemaFaults;
  if (listed.length === 0) return isComplete ? NOTHING_BROKEN : 'too much';
  const broken: Broken[] = [];
  for (const fault of listed) {
    if (!isMine(fault)) continue;
    const { pointer, expected, times } = fault;
    broken.push({ pointer, expected, actual: view.raw(pointer), times });
  }
  const [first] = broken;
  if (isComplete) return broken;
  if (first === undefined) return 'too much';
  const actual = `${first.actual} (not all of this body was looked at; there may be more faults)`;
  return [{ ...first, actual }, ...broken.slice(1)];
}

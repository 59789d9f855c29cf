import type { Broken, Judgement } from '../judging/rule.ts';
import type { SchemaFault } from '../document/schema.ts';
import type { View } from '../judging/view.ts';

/** Most answers have none, and many rules ask. */
const NOTHING_BROKEN: readonly Broken[] = [];

/**
 * What is broken by those departures from the schema that are the business of a rule. Where not all
 * could be listed and none of the rule's are among the first, nothing is known of it: null.
 *
 * @param isMine which ones those are
 */
export function brokenBySchema(view: View, isMine: (fault: SchemaFault) => boolean): Judgement {
  const { listed, unlisted } = view.schemaFaults;
  if (listed.length === 0) return NOTHING_BROKEN;
  const broken: Broken[] = [];
  for (const fault of listed) {
    if (!isMine(fault)) continue;
    const { pointer, expected, times } = fault;
    broken.push({ pointer, expected, actual: view.raw(pointer), times });
  }
  const [first] = broken;
  if (unlisted === 0) return broken;
  if (first === undefined) return null;
  const actual = `${first.actual} (${unlisted} more faults of this body were not looked at)`;
  return [{ ...first, actual }, ...broken.slice(1)];
}

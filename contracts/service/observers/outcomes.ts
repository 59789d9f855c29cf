import type { View } from '../../judging/view.ts';
import { errorCodeOf } from '../wire/error-body.ts';

/** What became of a request: the refusal by its status and code. */
export function outcomeOf(view: View): string {
  if (view.succeeded) return 'served';
  return `${view.status} ${errorCodeOf(view.json) ?? 'without a code'}`;
}

/** What became of a request that has one field missing or of another type. */
export function fieldDefectOutcome(view: View): readonly string[] {
  const { purpose } = view.exchange;
  if (purpose.kind !== 'invalid' || !/^(?:missing|mistyped|malformed) /.test(purpose.defect)) {
    return [];
  }
  return [`${purpose.defect}: ${outcomeOf(view)}`];
}

/** What became of a probe about one of these things. */
export function probeOutcome(pattern: RegExp): (view: View) => readonly string[] {
  return (view) => {
    const { purpose } = view.exchange;
    if (purpose.kind !== 'probe' || !pattern.test(purpose.about)) return [];
    return [`${purpose.about}: ${outcomeOf(view)}`];
  };
}

import type { RunLoad } from '../contracts/run/load/load-run.ts';
import type { PreparedRequest } from './engine.ts';

/**
 * What a load says of operations of its mix that none of its requests was to, as sentences. Of a load that sent nothing
 * that is no choice of the mix, and its reasons stand among those why its figures do not count.
 */
export function neverAskedNotices(
  requests: readonly Pick<PreparedRequest, 'operation'>[],
  { operations, unanswered = 0 }: Pick<RunLoad, 'operations' | 'unanswered'>,
): string[] {
  // Of what had no answer when a run was ended nobody knows the operation.
  if (unanswered > 0 || operations.every(({ counts }) => counts.sent === 0)) return [];
  const asked = new Set(
    operations.flatMap(({ operation, counts }) => (counts.sent > 0 ? [operation] : [])),
  );
  const never = [...new Set(requests.map(({ operation }) => operation))].filter(
    (operation) => !asked.has(operation),
  );
  return never.length === 0
    ? []
    : [
        `Of the mix these were asked for nothing under load, so nothing is known of them: ${never.join(', ')}. A longer load, a higher --rate or a greater weight reaches them.`,
      ];
}

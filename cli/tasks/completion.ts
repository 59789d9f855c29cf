/** Judging for a run what it has not judged itself. */

import type { RunJson } from '../../contracts/run/run.ts';
import { COMPLETED, isJudged, unjudgedNotice } from '../../contracts/run/unjudged.ts';
import { ownFailure } from '../../reports/run/run-notices.ts';
import type { RunEnd } from '../run-setting.ts';
import type { JudgedRecord } from './judge-record.ts';

/** How a run had ended when it came to judging, by its summary. */
export function endOf(recorded: RunJson): Pick<RunEnd, 'cutShort' | 'notices' | 'failure'> {
  const { unjudged, complete, notices, failure, counts } = recorded;
  if (unjudged === undefined) return { cutShort: !complete, notices };
  const { by, judged, cutShort } = unjudged;
  // How judging failed then is nothing of the run.
  const kept = by === 'failure' && !cutShort ? undefined : failure;
  const generated = [
    unjudgedNotice(by, judged, counts.exchanges),
    ...(failure === undefined ? [] : [ownFailure(failure)]),
  ];
  return {
    cutShort,
    notices: notices.filter((notice) => !generated.includes(notice)),
    ...(kept === undefined ? {} : { failure: kept }),
  };
}

/** Whether a record that was judged later is what its run would have left, and what is to be said of it. */
export interface Completion {
  readonly completes: boolean;
  readonly notices: readonly string[];
}

/** @param judged as its seal says that the run left it */
export function completionOf({
  recorded,
  judged: { run, isWhole, lines },
}: {
  readonly recorded: RunJson;
  readonly judged: JudgedRecord;
}): Completion {
  if (isJudged(recorded) || recorded.unjudged === undefined || !isWhole)
    return { completes: false, notices: [] };
  const isSealed = lines.beginning !== undefined;
  const why = whyNot(recorded, run, isSealed);
  if (why !== undefined) {
    return { completes: false, notices: [`The record stays as its run left it: ${why}.`] };
  }
  return { completes: true, notices: [COMPLETED] };
}

function whyNot(recorded: RunJson, run: RunJson, isSealed: boolean): string | undefined {
  if (run.failure !== undefined && run.failure !== recorded.failure)
    return 'Assay itself failed while it judged it';
  if (recorded.contract.sha256 !== run.contract.sha256)
    return 'it was judged by another contract than its run was made with';
  if (isSealed && recorded.tool.sha256 !== run.tool.sha256)
    return `the code that its run was made with judges it (${recorded.tool.version}, code ${recorded.tool.sha256.slice(0, 12)})`;
  if (recorded.ownRules?.sha256 === run.ownRules?.sha256) return undefined;
  return 'the rules of the configuration of its run are not at hand, or are others; --config FILE names it';
}

import { createHash } from 'node:crypto';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { findingState } from '../baseline-state.ts';
import { placeOf, type Placing, USUAL_FILE } from './placing.ts';
import { type Problem, problemsOf } from '../problems.ts';
import type { ReportSource } from '../source.ts';
import { cut } from '../text.ts';

/** A row of GitLab's code quality report (the part of Code Climate's format that it reads). */
export interface CodeQualityRow {
  readonly description: string;
  readonly check_name: string;
  /** Unique in the report. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** The fingerprint of the row on what nothing covers. */
const UNCOVERED = createHash('sha256').update('assay.record.not-covered').digest('hex');

/** More rows nobody reads, and merge requests show slowly. */
const MAX_ROWS = 1_000;

/**
 * Runs as a code quality report of GitLab, the causes first; what is waived is left out. Of findings with
 * one fingerprint, as of a rule that a check and a load run both broke, the first is taken. GitLab compares
 * reports by their fingerprints; whether a finding is new since a baseline of ours, the description says.
 */
export function renderCodeQuality(sources: readonly ReportSource[], placing: Placing): string {
  const rows = new Map<string, CodeQualityRow>();
  for (const { run } of sources) {
    if (run.notices.includes(NOT_COVERED)) rows.set(UNCOVERED, uncovered(placing));
    for (const problem of problemsOf(run)) {
      const isNew = problem.waived === undefined && !rows.has(problem.fingerprint);
      if (isNew && rows.size < MAX_ROWS) {
        rows.set(problem.fingerprint, rowOf(problem, placing, run));
      }
    }
  }
  return `${JSON.stringify([...rows.values()], undefined, 2)}\n`;
}

/** Said once, of whatever records of an earlier version. */
function uncovered(placing: Placing): CodeQualityRow {
  const { path, line } = placeOf(placing) ?? USUAL_FILE;
  return {
    ...{ description: NOT_COVERED, check_name: 'assay.record.not-covered', fingerprint: UNCOVERED },
    ...{ severity: 'info', location: { path, lines: { begin: line } } },
  };
}

function rowOf(problem: Problem, placing: Placing, run: RunJson): CodeQualityRow {
  const { check, words, fingerprint, finding } = problem;
  const state = findingState(fingerprint, run);
  const { path, line } = placeOf(placing, finding) ?? USUAL_FILE;
  return {
    description: `${cut(check, 200)}: ${words}${state === undefined ? '' : ` (${state})`}`,
    check_name: check,
    fingerprint,
    severity: severityOf(problem),
    location: { path, lines: { begin: line } },
  };
}

/** What loses money stops a merge. */
function severityOf({ rule, level }: Problem): CodeQualityRow['severity'] {
  if (level === 'warning') return 'minor';
  if (rule === undefined) return 'major';
  return rule.source.endsWith('(loses money)') ? 'blocker' : 'critical';
}

/** The metrics of the script, beside k6's own; k6 allows letters, digits and underscores. */
export const METRICS = {
  /** Counts broken rules; tag `rule`, and as metadata `exchange` the exchange as JSON, of the first. */
  violations: 'violations',
  /** Counts answers of status 400 and above but 429; tag `kind`: `throttled` or `error`. */
  errorAnswers: 'error_answers',
  /** Counts what Assay itself failed at; tag `why`. */
  crashes: 'assay_crashes',
  /** Once by each VU; tag `plan`: the digest of what it was handed, by which samples are distinguished from others. */
  plans: 'assay_plan',
  /** The rate of errors, kept only where a threshold names it. */
  errors: 'errors',
} as const;

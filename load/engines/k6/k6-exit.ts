/** What k6 says by its exit code (go.k6.io/k6/errext/exitcodes), as sentences. */

/** How a k6 run ended. */
export interface K6End {
  readonly kind:
    | 'complete'
    /** Its own thresholds were broken; everything was measured. */
    | 'thresholds'
    /** Ended by a signal; what was measured by then is there. */
    | 'interrupted'
    /** It ran, but not as it should have. */
    | 'spoilt'
    /** It did not run. */
    | 'failed';
  readonly sentence: string;
}

const ENDS: Readonly<Record<number, K6End>> = {
  0: { kind: 'complete', sentence: 'k6 ran to its end.' },
  99: { kind: 'thresholds', sentence: 'k6 saw a threshold broken.' },
  103: { kind: 'failed', sentence: 'k6 was ended through its REST API.' },
  104: { kind: 'failed', sentence: 'k6 does not take the options of its script.' },
  105: { kind: 'interrupted', sentence: 'k6 was ended by a signal.' },
  106: { kind: 'failed', sentence: 'k6 could not start its own API.' },
  107: { kind: 'failed', sentence: 'the script of k6 failed to load.' },
  108: { kind: 'spoilt', sentence: 'the script of k6 gave up the run.' },
  109: { kind: 'failed', sentence: 'k6 crashed.' },
  110: { kind: 'spoilt', sentence: 'the script of k6 failed in some iterations.' },
  255: { kind: 'failed', sentence: 'k6 did not find its script, or was not asked as it expects.' },
};

/**
 * @param code undefined where a signal ended the process
 */
export function k6EndOf(code: number | null): K6End {
  if (code === null) return { kind: 'failed', sentence: 'k6 was killed.' };
  return ENDS[code] ?? { kind: 'failed', sentence: `k6 ended with exit code ${code}.` };
}

/** A finding to be shown again: the rule that is broken, and where in a run. */
export interface Replay {
  readonly rule: string;
  /** `drive:17`, `zap.quote:3` of a generated case, or `regression:NAME`. */
  readonly origin: string;
}

/** Reads `RULE@ORIGIN`, as findings name it; undefined when the text is something else. */
export function parseReplay(text: string): Replay | undefined {
  const [, rule, origin] = /^([^@\s]+)@([^@\s]+:[^@\s]+)$/.exec(text) ?? [];
  return rule === undefined || origin === undefined ? undefined : { rule, origin };
}

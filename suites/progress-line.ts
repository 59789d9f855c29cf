/** Where a run stands when a stage begins. */
export interface Progress {
  readonly stage: string;
  readonly requests: number;
  readonly maxRequests: number;
  readonly seconds: number;
  readonly maxSeconds: number;
  /** Rules that what was sent so far has shown to be broken. */
  readonly broken: number;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** One line, without its end: how much of the budget is spent, what is broken so far, what comes next. */
export function progressLine(progress: Progress): string {
  const { stage, requests, maxRequests, seconds, maxSeconds, broken } = progress;
  const share = (spent: number, most: number, unit: string): string =>
    `${whole.format(Math.floor(spent)).padStart(whole.format(most).length)} of ${whole.format(most)} ${unit}`;
  return [
    `  ${share(requests, maxRequests, 'requests')}`,
    share(seconds, maxSeconds, 's'),
    ...(broken === 0 ? [] : [`${whole.format(broken)} ${broken === 1 ? 'rule' : 'rules'} broken`]),
    stage,
  ].join(' · ');
}

/** What the run of a second target is told first, by the process that started it. */
export interface SecondRunOrder {
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Asks it to send nothing more; asked again, it leaves at once. */
export const STOP = 'stop';

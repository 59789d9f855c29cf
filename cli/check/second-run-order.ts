/** What the run of a second target is given first, by the process that started it. */
export interface SecondRunOrder {
  readonly flags: Readonly<Record<string, unknown>>;
  /** The program's file, for lines that a person is to paste. */
  readonly entry: string;
}

/** Asks it to send nothing more; asked again, it leaves at once. */
export const STOP = 'stop';

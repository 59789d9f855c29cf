/** Whether the time of a probe is over: what takes seconds to compute is given up then. */
export type IsOver = () => boolean;

export const NEVER: IsOver = () => false;

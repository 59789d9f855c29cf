/** Signs that a long computation on contracts gets on, for whoever watches the thread that it runs in. */

let listener: () => void = () => undefined;

/** From now on it is called at each step, in place of what was called before. */
export function onProgress(called: () => void): void {
  listener = called;
}

/** Says that a step is done. Limits on contracts bound how many steps there are, whatever they hold. */
export function progressed(): void {
  listener();
}

/** Thrown when a load scenario cannot be run as it is asked for; the message says what to change. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

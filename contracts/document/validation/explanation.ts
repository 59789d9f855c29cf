import type { ErrorObject } from 'ajv';
import { FaultList, withoutEchoes } from './schema-faults.ts';
import type { SchemaFaults } from '../schema.ts';
import { holderOfUnevaluated } from './unevaluated.ts';
import { pointerInBody, type Window, windowsOf } from './windows.ts';

/** Values of a body that are looked at together. */
const WINDOW_VALUES = 5_000;
/** After so many errors of one body no further window is looked at. */
const MAX_ERRORS = 5_000;
/** A window with more errors explains nothing. */
const MAX_WINDOW_ERRORS = 100_000;

/** How the errors of a part of the body are found. */
export interface Explaining {
  /** All errors of a value, by JSON pointers; undefined if that takes too much. */
  readonly errorsOf: (value: unknown) => readonly ErrorObject[] | undefined;
  /** Whether schemas state items by their position, so that a later part of a list says nothing. */
  readonly usesPositions: boolean;
}

/**
 * Where an invalid body departs from its schema: the fault that decided, which is always one, and those
 * that are found in windows of the body.
 *
 * @param deciding the errors that decided that it is invalid
 */
export function explain(
  deciding: readonly ErrorObject[],
  body: unknown,
  explaining: Explaining,
): SchemaFaults {
  const faults = new FaultList();
  faults.add(withoutEchoes(deciding));
  let left = MAX_ERRORS;
  let isComplete = true;
  const windows = windowsOf(body, WINDOW_VALUES);
  for (let next = windows.next(); ; next = windows.next()) {
    if (next.done === true) return faults.faults(isComplete && next.value);
    const window = next.value;
    const found = isMisplaced(window, explaining) ? undefined : explaining.errorsOf(window.value);
    if (found === undefined || found.length > MAX_WINDOW_ERRORS) {
      isComplete = false;
      // What took too much once would do so in each window.
      if (window.cuts.size === 0 || !explaining.usesPositions) return faults.faults(false);
      continue;
    }
    const certain = certainErrors(found, window);
    faults.add(certain.errors, (path) => pointerInBody(path, window));
    isComplete &&= certain.isComplete;
    left -= found.length;
    if (left < 0) return faults.faults(false);
  }
}

function isMisplaced({ cuts }: Window, { usesPositions }: Explaining): boolean {
  return usesPositions && [...cuts.values()].some(({ offset }) => offset > 0);
}

/** Keywords that say of a part of a list or an object what they say of the whole. */
const OF_PARTS: ReadonlySet<string> = new Set(['type', 'additionalProperties', 'false schema']);

/** The errors of a window that are errors of the body as well. */
function certainErrors(
  found: readonly ErrorObject[],
  { cuts }: Window,
): { readonly errors: readonly ErrorObject[]; readonly isComplete: boolean } {
  if (cuts.size === 0) return { errors: withoutEchoes(found), isComplete: true };
  const around = placesAround(cuts.keys());
  let isComplete = true;
  const errors = withoutEchoes(found, (path) => around.has(path)).filter((error) => {
    const { keyword, instancePath, propertyName } = error;
    // What one part of a value leaves unevaluated, another may evaluate.
    const holder = holderOfUnevaluated(error);
    const isOfRest = holder !== undefined && around.has(holder);
    const isOfPart = OF_PARTS.has(keyword) || propertyName !== undefined;
    if (!isOfRest && (!around.has(instancePath) || isOfPart)) return true;
    const missing: unknown = keyword === 'required' ? error.params.missingProperty : undefined;
    if (!isOfRest && typeof missing === 'string') {
      const whole = cuts.get(instancePath)?.whole;
      return whole === undefined || !Object.hasOwn(whole, missing);
    }
    isComplete = false;
    return false;
  });
  return { errors, isComplete };
}

/** Some places and all that are around them. */
function placesAround(pointers: Iterable<string>): ReadonlySet<string> {
  const places = new Set<string>(['']);
  for (const pointer of pointers) {
    let place = '';
    for (const step of pointer.split('/').slice(1)) {
      place += `/${step}`;
      places.add(place);
    }
  }
  return places;
}

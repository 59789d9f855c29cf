import type { View } from './view.ts';

/** How the purpose of a probe begins whose request keeps to the contract of its operation. */
export const CONTRACT_PROBE = 'operation of the contract';
/** The purpose of one to a place at which the operation may be, while others are as likely. */
export const PLACE_PROBE = 'operation of the contract, at one of its places';
/** How the purpose of one ends that asks for a thing of which nobody knows whether it is there. */
export const UNKNOWN_THING = ', of a thing that may not be there';

/** Whether the driver made the request to keep to the contract of its operation. */
export function isWithinContract({ exchange: { purpose } }: View): boolean {
  return purpose.kind === 'probe' && purpose.about.startsWith(CONTRACT_PROBE);
}

/** Whether the request was made to learn where its operation is. */
export function isPlaceProbe({ exchange: { purpose } }: View): boolean {
  return purpose.kind === 'probe' && purpose.about.startsWith(PLACE_PROBE);
}

/** Whether the target has listed nothing that the request asks for by its path. */
export function isOfUnknownThing({ exchange: { purpose } }: View): boolean {
  return purpose.kind === 'probe' && purpose.about.endsWith(UNKNOWN_THING);
}

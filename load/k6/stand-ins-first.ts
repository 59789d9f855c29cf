/** Imported before all else, since modules use some of them while they are loaded. */

import { putInPlace } from './stand-ins.ts';

putInPlace(globalThis);

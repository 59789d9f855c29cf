import type { Format } from 'ajv';
import { FORMATS } from '../../contracts/document/formats.ts';

/** The formats that the schemas of the built-in contract name, for validators made ahead of time. */
export const STANDALONE_FORMATS: Readonly<Record<string, Format>> = FORMATS;

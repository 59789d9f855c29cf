import { API_NAMES } from '../contracts/service/wire/apis.ts';
import type { ApiName } from '../contracts/wire/exchange.ts';

/** The APIs of the service that Assay judges, for what reads no rules: those take a while to load. */
export const APIS: readonly ApiName[] = API_NAMES;

import { plainService } from '../contracts/plain-service.ts';
import { apisOfRun } from '../contracts/run/apis-of-run.ts';
import type { RunTarget } from '../contracts/run/run.ts';
import type { Service } from '../contracts/service-type.ts';
import { SERVICE } from './service.ts';

/** The service that a run is judged as: that of its configuration, or the one that Assay brings along. */
export function serviceOf(target: Pick<RunTarget, 'service' | 'urls' | 'apis'>): Service {
  return target.service === undefined ? SERVICE : plainService(apisOfRun({ target }));
}

import { plainService } from '../contracts/plain-service.ts';
import type { Service } from '../contracts/service-type.ts';
import type { TargetConfig } from '../target/config/config-types.ts';
import { probedByRequests } from '../load/probe/buckets/own-limits.ts';
import type { ProbedService } from '../load/probed-service.ts';
import { SERVICE } from './service.ts';

/** The service whose limits are found: that of the configuration, or the one that Assay brings along. */
export function probedServiceOf({
  service,
}: Pick<TargetConfig, 'service'>): Pick<Service, 'apis' | 'errors'> & ProbedService {
  if (service === undefined) return SERVICE;
  return { ...plainService(service.apis), ...probedByRequests(service.limits) };
}

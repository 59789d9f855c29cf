import type { Mutation } from './mutation.ts';
import { CLAIM_MUTATIONS } from './rows/claims.ts';
import { CLIENT_MUTATIONS } from './rows/client.ts';
import { DOCUMENT_MUTATIONS } from './rows/documents.ts';
import { CONTRACT_MUTATIONS } from './rows/contracts.ts';
import { DRIVE_MUTATIONS } from './rows/drive.ts';
import { ESTIMATE_MUTATIONS } from './rows/estimate.ts';
import { JUDGING_MUTATIONS } from './rows/judging.ts';
import { MODEL_MUTATIONS } from './rows/models.ts';
import { OBSERVING_MUTATIONS } from './rows/observing.ts';
import { PROBE_MUTATIONS } from './rows/probe.ts';
import { RECORD_MUTATIONS } from './rows/records.ts';
import { RULE_MUTATIONS } from './rows/rules.ts';
import { SERVICE_RULE_MUTATIONS } from './rows/service-rules.ts';
import { SHRINKING_MUTATIONS } from './rows/shrinking.ts';
import { TARGET_MUTATIONS } from './rows/target.ts';
import { TWO_LIMITS_MUTATIONS } from './rows/two-limits.ts';
import { ANNOUNCED_LIMIT_MUTATIONS } from './rows/announced-limits.ts';
import { SIMULATED_MUTATIONS } from './rows/simulated.ts';
import { ZAP_RULE_MUTATIONS } from './rows/zap-rules.ts';

/** Every edit that unit specs are to notice, room by room. */
export const MUTATIONS: readonly Mutation[] = [
  ...JUDGING_MUTATIONS,
  ...DOCUMENT_MUTATIONS,
  ...CONTRACT_MUTATIONS,
  ...RULE_MUTATIONS,
  ...SERVICE_RULE_MUTATIONS,
  ...ANNOUNCED_LIMIT_MUTATIONS,
  ...ZAP_RULE_MUTATIONS,
  ...SIMULATED_MUTATIONS,
  ...OBSERVING_MUTATIONS,
  ...DRIVE_MUTATIONS,
  ...SHRINKING_MUTATIONS,
  ...MODEL_MUTATIONS,
  ...ESTIMATE_MUTATIONS,
  ...TWO_LIMITS_MUTATIONS,
  ...CLAIM_MUTATIONS,
  ...PROBE_MUTATIONS,
  ...TARGET_MUTATIONS,
  ...CLIENT_MUTATIONS,
  ...RECORD_MUTATIONS,
];

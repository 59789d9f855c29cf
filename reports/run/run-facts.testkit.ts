import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { RunFacts } from './run-facts.ts';

/** Facts of a plain run of a drive, of the zap API alone. */
export const FACTS: RunFacts = {
  tool: { name: 'assay', version: '0.0.0', sha256: 'ef'.repeat(32) },
  startedAt: new Date('2026-05-10T23:59:59.500Z'),
  endedAt: new Date('2026-05-11T00:00:01Z'),
  seed: 1,
  target: { kind: 'remote', urls: { zap: 'http://127.0.0.1:1' }, credentials: [] },
  contract: { sha256: (await loadContract()).sha256 },
  record: { id: 'r1' },
  waivers: [],
  choice: EVERY_RULE,
  labels: {},
  leftOut: { must: 0, should: 0, observe: 0 },
  profile: 'gate',
  clauses: [],
  limitLedger: () => [],
  counterexamples: [],
  cutShort: false,
  notices: [],
};

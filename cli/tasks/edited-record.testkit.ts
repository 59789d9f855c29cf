import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { Waiver } from '../../contracts/judging/verdict.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { omit } from '../../contracts/wire/json.ts';
import { chainStart, seal } from '../../target/record/record-chain.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import type { RecordedRun } from './recorded-run.testkit.ts';

/** The rule that the exchanges break. */
export const RULE = 'zap.providers.response-shape';
export const WAIVER: Waiver = { rule: RULE, reason: 'known', owner: 'me', expires: '2026-12-31' };
/** What the run was made with. */
export const SETTING: RunSetting = {
  recordId: 'r1',
  startedAt: new Date('2026-01-02T03:04:05Z'),
  seed: 1,
  profile: 'gate',
  command: 'assay check',
  target: {
    ...{ kind: 'remote', urls: { zap: 'http://127.0.0.1' }, apis: ['zap', 'trade'] },
    ...{ credentials: ['ASSAY_TRADE_KEY'], maxRate: 20 },
  },
  budget: {
    ...{ maxRequests: 10, maxSeconds: 60, maxRejects: 5 },
    ...{ timeoutMs: 1000, maxBodyBytes: 1000, maxRecordBytes: 1_000_000 },
  },
  waivers: [{ ...WAIVER, rule: 'zap.limits.per-address' }],
  choice: { ...EVERY_RULE, levels: [{ rules: 'zap.quote', level: 'should' }] },
  labels: { release: '1.0' },
};
export const END: RunEnd = { cutShort: false, notices: ['Something was left out.'] };
const EXCHANGES = [{}, {}, { data: 'none' }, { data: 'none' }].map((answer, at) =>
  exchangeOf({
    id: `x0000${at + 1}`,
    path: '/v1/config/providers',
    answered: { status: 'success', data: {}, ...answer },
  }),
);
/** A check of four exchanges, of which two break a rule. */
export const CHECK: RecordedRun = { setting: SETTING, exchanges: EXCHANGES, end: END };
/** JSON that is taken apart without regard to its type. */
export type Loose = Record<string, unknown>;

/** A summary of which any member may be set. */
export type Editable = Loose & { -readonly [Member in keyof RunJson]: RunJson[Member] };

/** Changes the summary of a record, which is written as runs write it. */
export function editRun(dir: string, change: (run: Editable) => unknown): void {
  const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as Editable;
  change(run);
  writeFileSync(join(dir, 'run.json'), `${JSON.stringify(run, undefined, 2)}\n`);
}

/** Changes lines, and makes of them a chain that holds; run.json follows if the record has an end. */
export function resealed(dir: string, change: (lines: Loose[]) => Loose[]): void {
  let head = chainStart('r1');
  let endHead: string | undefined;
  const lines = readFileSync(join(dir, 'exchanges.ndjson'), 'utf8').trimEnd().split('\n');
  const plain = lines.map((line) => {
    return omit(JSON.parse(line) as Loose, 'chain');
  });
  const sealed = change(plain).map((line) => {
    const next = seal(JSON.stringify(line), head);
    ({ head } = next);
    if (endHead === undefined || 'end' in line || 'id' in line) endHead = head;
    return next.line;
  });
  writeFileSync(join(dir, 'exchanges.ndjson'), Buffer.concat(sealed));
  editRun(dir, (run) => (run.record = { ...run.record, head: endHead ?? head }));
}

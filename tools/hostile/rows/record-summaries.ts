import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../row.ts';
import { row } from './kit.ts';
import { altered, editJson, editLines, type Loose, reseal } from './record-kit.ts';

const RULE = 'zap.path.min-return-within-amount';
const WAIVER = { rule: RULE, reason: 'known', owner: 'me', expires: '2099-12-31' };

/** Members of the summary, each of which was believed once. */
const MEMBERS: readonly (readonly [name: string, edit: (run: Loose) => unknown])[] = [
  ['labels', (run) => (run.labels = { release: '2' })],
  ['target', (run) => ((run.target as Loose).urls = { zap: 'https://zap.example' })],
  ['credentials', (run) => ((run.target as Loose).credentials = ['ASSAY_TRADE_KEY'])],
  ['seed', (run) => (run.seed = 99)],
  ['start', (run) => (run.startedAt = '2026-01-01T00:00:00.000Z')],
  ['end', (run) => (run.endedAt = '2026-01-01T00:00:00.000Z')],
  ['complete', (run) => (run.complete = run.complete !== true)],
  ['notices', (run) => (run.notices = ['All is well.'])],
  ['version', (run) => ((run.tool as Loose).version = '9.9.9')],
  ['outcome', (run) => (run.outcome = run.outcome === 'undecided' ? 'conforms' : 'undecided')],
];

/** A broken rule is made one that is only observed, in its row, in the choice and in the outcome. */
function lowered(run: Loose): void {
  const leftOut = { must: 0, should: 0, observe: 0 };
  const levels = [{ rules: RULE, level: 'observe' }];
  run.choice = { only: [], skip: [], levels, failOn: 'must', leftOut };
  run.outcome = 'conforms';
  for (const rule of run.rules as Loose[]) {
    if (rule.verdict === 'fail')
      Object.assign(rule, { level: 'observe', statedLevel: 'must', verdict: 'observed' });
  }
}

/** A command on a record that was edited. */
function refused(
  name: string,
  command: 'judge' | 'verify',
  edit: (run: Loose) => void,
  args: (dir: string, out: string) => readonly string[],
  exits: readonly number[] = [4],
): Row {
  return row(
    command,
    `record: summary: ${name}`,
    exits,
    async (lab) => {
      const dir = await lab.copyOf('failing');
      editJson(dir, 'run.json', edit);
      const out = lab.path('out');
      return { args: args(dir, out), says: [/assay: \S.{10,}/], writes: [out] };
    },
    true,
  );
}

/** Records of which the summary alone was edited, and those that lost what the chain says of their run. */
export const RECORD_SUMMARY_ROWS: readonly Row[] = [
  ...MEMBERS.map(([name, edit], index) =>
    altered(
      `summary: another ${name}`,
      (dir) => {
        editJson(dir, 'run.json', edit);
      },
      { fast: index % 3 === 0 },
    ),
  ),
  ...['findings.ndjson', 'junit.xml', 'report.html'].map((name) =>
    altered(`made of the run: ${name}`, (dir) => {
      const file = join(dir, name);
      writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    }),
  ),
  ...MEMBERS.map(([name, edit]) =>
    altered(
      `summary of limits: another ${name}`,
      (dir) => {
        editJson(dir, 'run.json', edit);
      },
      { base: 'limits' },
    ),
  ),
  refused('a level lowered with its outcome', 'judge', lowered, (dir) => ['judge', dir]),
  refused(
    'a waiver slipped in, for a release',
    'judge',
    (run) => (run.waivers = [WAIVER]),
    (dir, out) => ['report', dir, '--release', '1', '--out', out],
  ),
  refused(
    'another verdict, for a report',
    'judge',
    (run) => {
      for (const rule of run.rules as Loose[])
        if (rule.verdict === 'pass') rule.evidence = Number(rule.evidence) + 1;
    },
    (dir, out) => ['report', dir, '--html', `${out}.html`],
  ),
  altered('summary: a host in place of the embedded service', (dir) => {
    editJson(dir, 'run.json', (run) => {
      const urls = { zap: 'https://zap.example', trade: 'https://trade.example' };
      Object.assign(run.target as Loose, { kind: 'remote', urls });
    });
  }),
  row(
    'judge',
    'record: lines: stripped of settings and end, for a release',
    [2],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      editLines(dir, (lines) => lines.filter((line) => line.startsWith('{"id":')));
      reseal(dir);
      editLines(dir, (lines) => lines.filter((line) => line.startsWith('{"id":')));
      return {
        args: ['report', dir, '--release', '1', '--out', lab.path('out')],
        writes: [lab.path('out')],
        says: ['was written by an earlier version of Assay, or made to look so'],
      };
    },
    true,
  ),
  row(
    'judge',
    'record: lines: stripped of settings and end',
    [0],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      editLines(dir, (lines) => lines.filter((line) => line.startsWith('{"id":')));
      reseal(dir);
      editLines(dir, (lines) => lines.filter((line) => line.startsWith('{"id":')));
      return {
        args: ['judge', dir],
        after: ({ stdout }) =>
          stdout.startsWith('The chain of this record does not cover its run.json')
            ? []
            : ['its first line does not say what is not covered'],
      };
    },
    true,
  ),
  row('judge', 'record: lines: the exchanges of another host', [4], async (lab) => {
    const dir = await lab.copyOf('clean');
    editLines(dir, (lines) =>
      lines.map((line) => {
        const json = JSON.parse(line) as Loose;
        const request = json.request as Loose | undefined;
        if (request !== undefined) request.url = 'https://zap.example/v1/config/chains';
        return JSON.stringify(json);
      }),
    );
    reseal(dir);
    return { args: ['judge', join(dir)], says: ['which went to https://zap.example'] };
  }),
];

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../row.ts';
import { row } from './kit.ts';
import { altered, editExchange, editJson, type Loose } from './record-kit.ts';

/** Something that is changed in parsed JSON, with its name. */
export type Change = readonly [name: string, change: (json: Loose) => unknown];

/** Changes of one exchange: wrong types in every member, and wrong content. */
export const EXCHANGE_CHANGES: readonly Change[] = [
  ['no purpose', (x) => (x.purpose = null)],
  ['a purpose that is a list', (x) => (x.purpose = [])],
  ['relations that are a text', (x) => (x.relations = 'none')],
  ['relations of nothing', (x) => (x.relations = [null])],
  ['an id that is a number', (x) => (x.id = 5)],
  ['an id with control sequences', (x) => (x.id = 'x\u001b[2J\n::error::y')],
  ['an api that is not known', (x) => (x.api = 'mail')],
  ['an api of the engine', (x) => (x.api = '__proto__')],
  ['no request', (x) => (x.request = null)],
  ['header fields that are numbers', (x) => ((x.request as Loose).headers = [1, 2])],
  ['header fields that are a map', (x) => ((x.request as Loose).headers = { a: 'b' })],
  ['a path that is a number', (x) => ((x.request as Loose).path = 7)],
  ['a URL that is none', (x) => ((x.request as Loose).url = 'http://[::1]:99999999/')],
  ['a body that is a number', (x) => ((x.request as Loose).body = 1)],
  [
    'a body of an unknown encoding',
    (x) => ((x.request as Loose).body = { encoding: 'rot13', text: 'a' }),
  ],
  ['no outcome', (x) => delete x.outcome],
  ['an outcome that is null', (x) => (x.outcome = null)],
  ['an outcome of an unknown kind', (x) => (x.outcome = { kind: 'dream' })],
  ['no response in it', (x) => (x.outcome = { kind: 'response' })],
  [
    'a status that is a text',
    (x) =>
      (x.outcome = {
        kind: 'response',
        response: { status: '200', headers: [], body: { encoding: 'utf8', text: '' } },
      }),
  ],
  [
    'a status past all',
    (x) =>
      (x.outcome = {
        kind: 'response',
        response: { status: 1e300, headers: [], body: { encoding: 'utf8', text: '' } },
      }),
  ],
  [
    'a response without a body',
    (x) => (x.outcome = { kind: 'response', response: { status: 200, headers: [] } }),
  ],
  ['a failure that is a number', (x) => (x.outcome = { kind: 'failure', failure: 9, message: {} })],
  ['times that are texts', (x) => (x.sentAtMs = 'now')],
  ['a latency that is null', (x) => (x.latencyMs = null)],
  ['a member more', (x) => (x.more = { __proto__: null, a: 1 })],
];

/** A run whose budget ended before each API had served says afterwards that it tried everything. */
function madeComplete(): Row {
  return row(
    'judge',
    'record: run.json: a run that was cut short made complete',
    [4],
    async (lab) => {
      const dir = lab.path('record');
      await lab.assay(['check', '--max-requests', '20', '--seed', '1', '--out', dir]);
      editJson(dir, 'run.json', (run) =>
        Object.assign(run, { complete: true, outcome: 'conforms', notices: [] }),
      );
      return { args: ['judge', dir] };
    },
    true,
  );
}

/** Records whose summary, exchanges or measurements hold what they did not. */
export const RECORD_MEMBER_ROWS: readonly Row[] = [
  madeComplete(),
  ...(
    [
      ['the outcome', (run) => (run.outcome = 'conforms')],
      [
        'a verdict',
        (run) => {
          for (const rule of run.rules as Loose[])
            if (rule.verdict === 'fail') rule.verdict = 'pass';
        },
      ],
      ['the counts', (run) => ((run.counts as Loose).exchanges = 7)],
      [
        'the findings',
        (run) => {
          for (const rule of run.rules as Loose[]) rule.findings = [];
        },
      ],
      [
        'verdicts, findings and outcome',
        (run) => {
          run.outcome = 'conforms';
          for (const rule of run.rules as Loose[]) {
            if (rule.verdict === 'fail') Object.assign(rule, { verdict: 'pass', findings: [] });
            delete rule.counterexample;
          }
        },
      ],
      [
        'the rules, all but one left out',
        (run) => (run.rules = (run.rules as unknown[]).slice(0, 1)),
      ],
      ['the time of its start', (run) => (run.startedAt = '1999-01-01T00:00:00Z')],
      ['whether it came to its end', (run) => (run.complete = false)],
    ] satisfies readonly Change[]
  ).map(([what, change], index) =>
    altered(
      `run.json: ${what} edited`,
      (dir) => {
        editJson(dir, 'run.json', change);
      },
      {
        base: 'failing',
        fast: index < 4,
        // A time is what whoever signs a record vouches for; the chain cannot.
        // That it did not come to its end can only take verdicts away.
        ...(index > 5 ? { exits: [1, 4] } : {}),
      },
    ),
  ),
  ...(
    [
      ['a text for the rules', (run) => (run.rules = 'none')],
      ['null for the target', (run) => (run.target = null)],
      ['a number for the notices', (run) => (run.notices = 3)],
      ['control sequences in notices', (run) => (run.notices = ['\u001b[2J\n::error::owned'])],
      ['no contract', (run) => delete run.contract],
      ['an unknown profile', (run) => (run.profile = '__proto__')],
      ['a date that is none', (run) => (run.startedAt = 'yesterday')],
      ['a schemaVersion of 2', (run) => (run.schemaVersion = 2)],
      ['a seed that is a text', (run) => (run.seed = '$(touch pwn)')],
    ] satisfies readonly Change[]
  ).map(([what, change], index) =>
    altered(
      `run.json: ${what}`,
      (dir) => {
        editJson(dir, 'run.json', change);
      },
      // What a notice says is no evidence; but it is shown, not acted on.
      { fast: index < 2, ...(what.endsWith('in notices') ? { exits: [0, 4] } : {}) },
    ),
  ),
  ...EXCHANGE_CHANGES.map(([name, change]) =>
    altered(
      `an exchange with ${name}`,
      (dir) => {
        editExchange(dir, change);
      },
      // Each breaks the chain first. What is wrong with an exchange, CI sees in records that are forged.
      { fast: name === 'an id with control sequences' },
    ),
  ),
  altered(
    'limits.json: a limit edited',
    (dir) => {
      const text = readFileSync(join(dir, 'limits.json'), 'utf8');
      writeFileSync(join(dir, 'limits.json'), text.replace(/"limit": (\d+)/, '"limit": 999'));
    },
    { base: 'limits', fast: true },
  ),
  altered(
    'limits.json: removed',
    (dir) => {
      rmSync(join(dir, 'limits.json'));
    },
    { base: 'limits' },
  ),
  altered(
    'limits.json: no list',
    (dir) => {
      writeFileSync(join(dir, 'limits.json'), '{"schemaVersion":1,"limits":7}');
    },
    { base: 'limits' },
  ),
  altered(
    'limits.svg: a plot edited',
    (dir) => {
      const text = readFileSync(join(dir, 'limits.svg'), 'utf8');
      writeFileSync(join(dir, 'limits.svg'), text.replace('admitted', 'rejected'));
    },
    { base: 'limits', fast: true },
  ),
  altered('limits.svg beside a check', (dir) => {
    writeFileSync(join(dir, 'limits.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  }),
  altered('limits.json beside a check', (dir) => {
    writeFileSync(join(dir, 'limits.json'), '{"schemaVersion":1,"limits":[]}');
  }),
];

import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { releaseChanges } from '../../contracts/release/release-changes.ts';
import { releaseOf } from '../../contracts/release/release-outcome.ts';
import { KNOWN, passed, runOf, same } from '../../contracts/release/release.testkit.ts';
import type { OtherRun, Release } from '../../contracts/release/release.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { HOSTILE_TEXTS } from '../hostile-run.testkit.ts';
import { renderRelease } from './release-markdown.ts';

const SUBJECTS = [{ name: 'r1/run.json', digest: { sha256: 'ab'.repeat(32) } }];

function released(...runs: readonly [RunJson, ...RunJson[]]): Release {
  const [first, ...more] = runs;
  const issuedAt = '2026-01-03T00:00:00.000Z';
  return releaseOf({
    release: '1.2',
    issuedAt,
    runs: [same(first), ...more.map(same)],
    known: KNOWN,
    scope: ['zap'],
  });
}
const rendered = (...runs: readonly [RunJson, ...RunJson[]]): string =>
  renderRelease(released(...runs), { subjects: SUBJECTS });
const firstLine = (text: string): string => text.split('\n')[0] ?? '';

describe('the first lines say what became of the release, and why', () => {
  test('it conforms', () => {
    const text = rendered(runOf('r1'), runOf('r2'));
    expect(text).toMatch(
      /^# Release 1\.2 conforms \(scope: zap; out of scope: trade, docs, ai\)\n\nAll 2 runs conform, and no must rule is left/,
    );
  });

  test('a rule is broken, by which run', () => {
    const rules = [passed('zap.a'), passed('zap.b', { verdict: 'fail' })];
    const text = rendered(runOf('r1', { outcome: 'does-not-conform', rules }), runOf('r2'));
    expect(firstLine(text)).toMatch(/^# Release 1\.2 does not conform \(/);
    expect(text).toContain('\n1 must rule broken.\n');
    expect(text).toContain('- `zap.b` (must, §2.2), found by `r1`');
  });

  test('a rule is not reached, and why', () => {
    const reason = 'no exchange shows it';
    const rules = [passed('zap.a', { verdict: 'not-reached', reason, needs: '--docs-url' })];
    const text = rendered(runOf('r1', { rules: [...rules, passed('zap.b')] }));
    expect(firstLine(text)).toMatch(/^# Release 1\.2 is incomplete \(/);
    expect(text).not.toMatch(/not conform|undecided/);
    expect(text).toContain('1 must rule without a verdict, which no waiver accepts.');
    expect(text).toContain('- `zap.a` (not-reached): no exchange shows it; it needs --docs-url');
  });

  test('a threshold is broken', () => {
    const thresholds = [{ expression: 'p99<1ms', measured: 9, held: false }];
    const load = { ...EXAMPLE_LOAD, invalid: [], thresholds };
    const text = rendered(runOf('r1', { load }));
    expect(text).toContain('1 threshold of load broken.');
    expect(text).toContain('Run `r1`: threshold `p99<1ms` broken.');
  });
});

test('waivers have their owner and last day, and what was left out is said', () => {
  const waiver = { rule: 'zap.b', reason: 'a rewrite', owner: 'pools team', expires: '2026-02-01' };
  const text = rendered(
    runOf('r1', {
      rules: [passed('zap.a'), passed('zap.b', { verdict: 'waived' })],
      waivers: [waiver],
      labels: { commit: 'a1b2' },
      choice: {
        ...{
          only: ['zap'],
          skip: ['7'],
          levels: [{ rules: 'zap.a', level: 'must' }],
          failOn: 'should',
        },
        leftOut: { must: 2, should: 1, observe: 0 },
      },
    }),
  );
  expect(text).toContain('- `zap.b`: a rewrite (pools team, until 2026-02-01, 29 days left)');
  expect(text).toContain('- labels: commit `a1b2`');
  expect(text).toContain(
    'Run `r1`: judged only `zap`; left out `7`; so 3 rules left out, 2 of them must; level of `zap.a`: must; a broken should rule fails it as well.',
  );
});

test('a run that other code recorded is reported', () => {
  const other = { name: 'assay', version: '0.0.9', sha256: '01'.repeat(32) };
  const run = runOf('r1');
  const release = releaseOf({
    ...{ release: '1', issuedAt: '2026-01-03T00:00:00.000Z', known: KNOWN, scope: ['zap'] },
    runs: [{ recorded: { ...run, tool: other }, judged: run }],
  });
  expect(renderRelease(release, { subjects: SUBJECTS })).toContain(
    `Run \`r1\`: recorded with assay 0.0.9, code \`${other.sha256}\`.`,
  );
});

test('it says how to check again, and what an unsigned certificate does not show', () => {
  const release = released(runOf('r1'));
  expect(renderRelease(release, { subjects: SUBJECTS })).toMatch(
    /With Assay 0\.1\.0 installed,\n[^]*npx --no -- assay verify certificate\.json RUN…\n[^]*is not signed/,
  );
  const signed = renderRelease(release, { subjects: SUBJECTS, signer: 'cd'.repeat(32) });
  expect(signed).toContain('verify certificate.json RUN… --key key.pem');
  expect(signed).toContain(`by the Ed25519 key \`${'cd'.repeat(32)}\``);
});

/** As GitHub reads it: HTML, tables, and links of bare addresses. */
const parser = new MarkdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false });

/** The structure of a page: what it is made of, without texts. */
function shapeOf(markdown: string): string[] {
  return parser
    .parse(markdown, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .map(({ type }) => type)
    .filter((type) => !['text', 'text_special'].includes(type));
}

/** A release in which every text that comes from a service, a user or a record says this. */
function saying(text: string): Release {
  const waiver = { rule: text, reason: text, owner: text, expires: '2026-02-01' };
  const run = runOf('r1', {
    target: { kind: 'remote', urls: { zap: text }, credentials: [text] },
    rules: [
      passed(text, { source: text, verdict: 'fail' }),
      passed('zap.b', { verdict: 'not-reached', reason: text, needs: text }),
    ],
    waivers: [waiver, { ...waiver, rule: 'zap.b' }],
    labels: { [text]: text },
    choice: {
      ...{ only: [text], skip: [text], levels: [{ rules: text, level: 'must' }], failOn: 'must' },
      leftOut: { must: 1, should: 0, observe: 0 },
    },
    load: {
      ...{ ...EXAMPLE_LOAD, scenario: text, invalid: [text] },
      thresholds: [{ expression: 'violations==0', measured: 1, held: false }],
    },
  });
  return { ...released(run), release: text };
}

describe('texts of others do nothing to the page', () => {
  const plain = shapeOf(renderRelease(saying('plain'), { subjects: SUBJECTS }));

  test.each(Object.entries(HOSTILE_TEXTS))('%s', (_what, text) => {
    const markdown = renderRelease(saying(text), {
      subjects: [{ name: `r1/${text}`, digest: { sha256: 'ab'.repeat(32) } }],
    });
    expect(shapeOf(markdown)).toEqual(plain);
    expect(plain).not.toContain('html_inline');
    expect(markdown.length).toBeLessThan(40_000);
    // eslint-disable-next-line no-control-regex
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('what a person signs', () => {
  const waiver = { rule: 'zap.b', reason: 'none there', owner: 'me', expires: '2026-01-03' };
  const shoulds = Array.from({ length: 40 }, (_, at) =>
    passed(`zap.rather-long-name.of-a-should-rule-${at}`, {
      level: 'should',
      verdict: 'not-reached',
    }),
  );
  const run = runOf('r1', {
    rules: [passed('zap.a'), passed('zap.b', { verdict: 'not-reached' }), ...shoulds],
    waivers: [waiver],
    labels: { commit: 'a1' },
    load: {
      ...EXAMPLE_LOAD,
      invalid: [],
      thresholds: [{ expression: 'p99<300ms', measured: 120, held: true }],
    },
    limits: [
      { api: 'zap', scope: 'per key', verdict: 'identified', algorithms: ['window'], limit: 30 },
    ] as unknown as RunJson['limits'],
  });
  const other: OtherRun = {
    ...{ id: 'r9', folder: 'n9', kind: 'check', outcome: 'does-not-conform' },
    ...{ startedAt: '2026-01-02T00:00:00Z', outOfScope: ['trade'] },
  };
  const release = {
    ...released(run, { ...run, record: { ...run.record, id: 'r2' } }),
    others: [other],
  };
  const before = {
    ...released(runOf('r0', { contract: { sha256: '12'.repeat(32) } })),
    release: '1.1',
  };
  const many = Array.from({ length: 30 }, (_, at) => ({ ...SUBJECTS[0], name: `r1/${at}` }));
  const text = renderRelease(release, {
    subjects: many as typeof SUBJECTS,
    changes: releaseChanges(before, release),
  });

  test.each([
    [
      'figures of load',
      /\| stress \| 200 \| 8\.5 \| 8 \| 20 \| 20 \| 50 \| 120 \| `p99<300ms` held \|/,
    ],
    ['measured limits', /- limit: zap per key: identified, 30 requests \(window\)/],
    [
      'what changed',
      /### What changed since 1\.1, which conforms \(2026-01-03; its signature was not checked\)\n\n- judged by another contract/,
    ],
    [
      'should rules that were not judged, by name',
      /40 rules: `zap\.rather-long-name\.of-a-should-rule-0`, /,
    ],
    [
      'waivers and their days',
      /- `zap\.b` \(not-reached, waived\): none there \(me, until 2026-01-03, its last day\)/,
    ],
    [
      'other runs of the build',
      /- `n9` \(check of 2026-01-02T00:00:00Z\): \*\*does not conform\*\*; it drove out of scope: trade/,
    ],
    [
      'first that one of them failed',
      /waivers apart\. But 1 other run of this build does not conform: see below\./,
    ],
    [
      'lines for approvers',
      /\| approved by \| role \| date \| signature \|\n\| --- .*\n(?:\|(?: {3}\|){4}\n){3}/,
    ],
    ['how to verify', /the digests of 30 files, which the certificate lists/],
  ])('has %s', (_what, words) => {
    expect(text).toMatch(words);
  });

  test('has two pages', () => {
    const lines = text
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);
    expect(release.outcome).toBe('conforms');
    expect(lines).toBeLessThan(2 * 55);
  });
});

test('of a thousand rules the first are listed, and the others counted', () => {
  const rules = Array.from({ length: 1_000 }, (_, at) => passed(`zap.x${at}`, { verdict: 'fail' }));
  const release = released(runOf('r1', { rules }));
  const text = renderRelease(release, { subjects: SUBJECTS });
  expect(text).toContain('- and 800 more, in the certificate');
});

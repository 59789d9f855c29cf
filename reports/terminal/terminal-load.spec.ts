/** Long because all that the terminal says of a load is tried on one example. */

import { describe, expect, test } from 'vitest';
import { omit } from '../../contracts/wire/json.ts';
import type { LoadErrorRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_LOAD, loadStep } from '../../contracts/run/load/load-run.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { generatorFacts } from './load-words.ts';
import { type Detail, renderTerminal } from './terminal.ts';
import { BASELINE, seriesOf, trendOf } from '../plots/trend.testkit.ts';

function textOf(load: Partial<RunLoad> = {}, detail: Detail = 'short'): string {
  const run = { ...EXAMPLE_RUN, load: { ...EXAMPLE_LOAD, ...load } };
  return renderTerminal(run, { color: false, width: 110, detail });
}

function omitted(name: 'errors'): RunJson {
  return { ...EXAMPLE_RUN, load: omit(EXAMPLE_LOAD, name) };
}

describe('the report of a load run', () => {
  test('begins with what it came to', () => {
    expect(textOf()).toContain(
      'load stress: 2 thresholds broken, 170 of 200 served, 20 throttled, 10 errors (8 server errors, 2 timed out)',
    );
    expect(textOf({ thresholds: [] })).toContain('load stress: all thresholds held,');
    const late = { thresholds: [], invalid: ['Late.'], invalidOnly: 'timing' } as const;
    expect(textOf(late)).toContain('all thresholds held, and its latencies and rates do not count');
    expect(textOf({}, 'quiet')).toContain('load stress: 2 thresholds broken');
    expect(textOf({}, 'quiet').split('\n')).toHaveLength(3);
  });

  test('names the three most frequent errors: which, how many, since when, at which operation', () => {
    expect(textOf()).toMatch(
      /^errors {6}zap\.quote answered 503: 8 of 130 \(6\.2 %\), 10\.1 s to 17\.9 s\n {12}zap\.quote timed out: 2 of 130 \(1\.5 %\), 18\.2 s to 19\.3 s$/m,
    );
    const [row] = EXAMPLE_LOAD.errors ?? [];
    const one = { ...(row ?? expect.fail()), count: 1, status: 500 };
    const text = textOf({ errors: [one, one, one, one] });
    expect(text).toMatch(
      /answered 500: 1 of 130 \(0\.8 %\), at 10\.1 s\n {12}1 more in run\.json$/m,
    );
    expect(textOf({ errors: [] })).not.toMatch(/^errors/m);
    expect(renderTerminal(omitted('errors'), { color: false, width: 110 })).not.toMatch(/^errors/m);
  });

  test('has what all operations failed with alike in one row', () => {
    const of = (operation: string, count: number): LoadErrorRow => ({
      ...{ operation, fate: 'serverError', status: 503, count, firstSecond: 3, lastSecond: 6 },
    });
    const alike = [of('zap.quote', 65), of('trade.build-tx', 30)];
    expect(textOf({ errors: alike })).toMatch(
      /^errors {6}all 2 operations answered 503: 95 of 200 \(47\.5 %\), 3\.0 s to 6\.0 s$/m,
    );
    const apart = textOf({ errors: [of('zap.quote', 65), of('trade.build-tx', 3)] });
    expect(apart).toContain('zap.quote answered 503: 65 of 130');
    expect(apart).toContain('trade.build-tx answered 503: 3 of 70');
    expect(textOf({ errors: [of('zap.quote', 65)] })).toContain('zap.quote answered 503');
  });

  test('names rows and columns on 80 columns, and leaves columns out for them', () => {
    const run = { ...EXAMPLE_RUN, load: EXAMPLE_LOAD };
    const text = renderTerminal(run, { color: false, width: 80 });
    expect(text).toMatch(/^ {2}step, \/s and ms +offered +served +p95 +p99 .*errors +wrong$/m);
    expect(text).toMatch(/^ {2}requests and ms +offered +served/m);
    expect(text).toMatch(/^ {2}trade\.build-tx +70 +50 /m);
    const own = text.slice(text.indexOf('load stress'), text.indexOf('load average'));
    expect(Math.max(...own.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('says why figures do not count, and then breaks nothing that is not certain', () => {
    const [p99] = EXAMPLE_LOAD.thresholds;
    const thresholds = p99 === undefined ? [] : [{ ...p99, held: false }];
    const text = textOf({ invalid: ['One request in 100 left late.'], thresholds });
    expect(text).toContain('load stress: the figures do not count');
    expect(text).toContain('? One request in 100 left late.');
    expect(text).toMatch(/\? p99<300ms +was 120 ms/);
  });

  test('says why the figure of a threshold alone does not count', () => {
    const [p99] = EXAMPLE_LOAD.thresholds;
    const thresholds = p99 === undefined ? [] : [{ ...p99, held: false, onlyLate: true as const }];
    const generator = { ...EXAMPLE_LOAD.generator, lateRequests: 14 };
    const text = textOf({ thresholds, generator });
    expect(text).toContain('load stress: 1 threshold not known');
    expect(text).toContain('? without the requests that left or were read late p99');
  });

  test('that was interrupted says what held so far, how long it ran, and what it left', () => {
    const [p99] = EXAMPLE_LOAD.thresholds;
    const thresholds = p99 === undefined ? [] : [{ ...p99, held: true }];
    const interrupted = { atSeconds: 6.04, ofSeconds: 20 };
    const text = textOf({ thresholds, interrupted, unanswered: 85 }).replaceAll(/\s+/g, ' ');
    expect(text).toContain('load stress: all thresholds held so far, 170 of 200 served');
    expect(text).toContain('85 not answered when it was ended; ended after 6 of 20 s');
    expect(text).toMatch(/\? p99<300ms was 120 ms/);
    expect(textOf({ thresholds, interrupted: { atSeconds: 6 } })).toContain('; ended after 6 s');
    expect(textOf({ thresholds, interrupted: { atSeconds: 0.31 } })).toContain('after 0.3 s');
  });

  test('says that the limiter was measured, at which rate that began, and what helps', () => {
    const text = textOf({
      thresholds: [],
      limiter: { throttled: 359, sent: 418, fromPerSecond: 12.5 },
    });
    expect(text).toContain('load stress: the limiter was measured, not the service');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '359 of 418 requests were throttled, first at 12.5/s, so rates and latencies of the service are not known. A lower --rate',
    );
    const engine = { name: 'autocannon', version: '9.0.0' } as const;
    const limiter = { throttled: 359, sent: 418, fromPerSecond: 12.5 };
    expect(textOf({ thresholds: [], limiter, engine }).replaceAll(/\s+/g, ' ')).toContain(
      'of the service are not known. A key, or "throttled: expected"',
    );
  });

  test('has latencies of what was served, and of all that was not throttled', () => {
    expect(textOf({}, 'verbose')).toMatch(/^ {2}served +170 +20 +50 +120 +250 +300$/m);
    // Ten of 180 failed: beyond the 95th percentile there are only errors.
    expect(textOf({}, 'verbose')).toMatch(
      /^ {2}all unthrottled +180 +20 +error +error +error +error$/m,
    );
    const whole = omit(EXAMPLE_LOAD.whole, 'allLatency');
    expect(textOf({ whole }, 'verbose')).toMatch(/^ {2}all unthrottled +not known$/m);
  });

  test('says that a warm-up is in no latency, and says nothing without one', () => {
    expect(textOf({ warmUpSeconds: 10 }, 'verbose')).toContain(
      '  without a warm-up of 10 s, in no latency figure; its errors and violations count',
    );
    expect(textOf({}, 'verbose')).not.toContain('warm-up');
  });

  test('has a row for each step and operation', () => {
    const text = textOf();
    expect(text).toMatch(/^ {2}usual +10\.0 +10\.0 +20 +50 +120 +250 +– +– +–$/m);
    expect(text).toMatch(/^ {2}twice +10\.0 +7\.0 +20 +50 +300 +250 +20 +10 +3$/m);
    expect(text).toMatch(/^ {2}zap\.quote +130 +120 +20 +50 +120 +250 +– +10$/m);
    expect(text).toMatch(/^ {2}trade\.build-tx +70 +50 +20 +50 +80 +250 +20 +–$/m);
  });

  test('reports no latency if nothing was served', () => {
    const none = { count: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, p999Ms: 0, worstMs: 0 };
    const text = textOf({
      steps: [loadStep({ latency: none })],
      whole: { ...EXAMPLE_LOAD.whole, latency: none },
    });
    expect(text).toMatch(/^ {2}hold +10\.0 +10\.0 +– +– +– +–/m);
    expect(text).not.toMatch(/slowest +▇/);
  });

  test('names broken rules by their level, with the step and the exchange of the first', () => {
    const [one] = EXAMPLE_LOAD.violations;
    const violations =
      one === undefined ? [] : [one, { ...one, rule: 'zap.a', firstStep: 0, count: 1200 }];
    const rules = [...EXAMPLE_RUN.rules, ruleRow({ id: 'zap.a', level: 'should' })];
    const run = { ...EXAMPLE_RUN, rules, load: { ...EXAMPLE_LOAD, violations } };
    const text = renderTerminal(run, { color: false, width: 110 });
    expect(text).toContain('judged      all 198 answers, 2 rules broken; 40 kept');
    expect(text).toContain(
      '✗ must zap.path.min-return-within-amount: 3 times, first in twice, x00112',
    );
    expect(text).toContain('! should zap.a: 1,200 times, first in usual, x00112');
    expect(text.indexOf('should zap.a')).toBeLessThan(text.indexOf('must zap.path.min-return'));
    const judged = { answers: 50, of: 198, kept: 40 };
    expect(textOf({ judged, violations: [] })).toContain('50 of 198 answers, no rule broken');
  });

  test('says which rules judged how many answers, and what that cost, before the tables', () => {
    const generator = { ...EXAMPLE_LOAD.generator, judgingSeconds: 0.396 };
    const judged = { answers: 198, of: 200, kept: 0, byAll: 20 };
    const engine = { name: 'k6', version: '1.8.1' } as const;
    const text = textOf({ judged, generator, engine });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      "judged 198 of 200 answers (VUs that k6 added while it was late judge none), 20 of them by all rules on single answers, the others by the card's, 1 rule broken; 0 kept; judging took k6 0.4 s by the clock, 2.00 ms an answer",
    );
    expect(text.indexOf('judged  ')).toBeLessThan(text.indexOf('step, /s and ms'));
    expect(textOf({ judged: { ...judged, byAll: 0 } }).replaceAll(/\s+/g, ' ')).toContain(
      "198 of 200 answers, by the card's rules alone, 1 rule",
    );
  });

  test.each([
    [
      { answers: 90, leftOut: { asked: 100, late: 7 } },
      '90 of 198 answers (100 left out by --judge-share; 7 left out, as this machine did not keep up with more; 1 could not be judged), no rule broken',
    ],
    [
      { answers: 0, leftOut: { asked: 198, late: 0 } },
      '0 of 198 answers (198 left out by --judge-share); 0 kept',
    ],
    [{ answers: 0, of: 0, leftOut: { asked: 0, late: 0 } }, 'judged no answers; 0 kept'],
  ])('says why not all answers were judged, and of none nothing more: %o', (some, words) => {
    const judged = { of: 198, kept: 0, ...some };
    expect(textOf({ judged, violations: [] }).replaceAll(/\s+/g, ' ')).toContain(words);
  });

  test('names each threshold with what was measured, in its unit', () => {
    const text = textOf({}, 'verbose');
    expect(text).toMatch(/✓ p99<300ms +was 120 ms/);
    expect(text).toMatch(/✗ violations==0 +was 3 violations$/m);
    expect(text).toMatch(/✗ zap\.pools:p99<1s +was 1\.4 s/);
    const thresholds = [
      { expression: 'errors<0.1%', measured: 5.5556, held: false },
      { expression: 'rate>=10/s', measured: 8.5, held: false },
    ];
    expect(textOf({ thresholds })).toMatch(/was 5\.556 %[^]*was 8\.5\/s/);
  });

  test('says what the figures were measured with, and which part it is', () => {
    const text = textOf({ part: { index: 2, of: 4, plan: 'ab' } });
    expect(text).toContain(
      'open-loop 0.1.0, lag 1.4 ms at p99, event loop active 31 %, 2.5 s of CPU',
    );
    expect(text).toContain('part 2 of 4');
    const { latency } = EXAMPLE_LOAD.whole;
    const rounds = [1, 2, 3].map(() => ({ target: latency, control: latency }));
    expect(textOf({ rounds }).replace(/\s+/g, ' ')).toContain('3 rounds beside a control');
    expect(text.replace(/\s+/g, ' ')).toContain(
      '2 cores (Some CPU), linux x64, Node 20.20.0, load average 0.4 before',
    );
    const machines = [EXAMPLE_LOAD.machine, EXAMPLE_LOAD.machine];
    expect(textOf({ machines }).replace(/\s+/g, ' ')).toContain(
      '2 parts, the first on 2 cores (Some',
    );
    const { machine, ...unknown } = EXAMPLE_LOAD;
    expect(machine).toBeDefined();
    expect(generatorFacts(unknown).join(', ')).toContain('on machines of which nothing is known');
    const unscheduled = { ...EXAMPLE_LOAD, generator: { waitedAtCeiling: 0, dropped: 0 } };
    expect(generatorFacts(unscheduled).join(', ')).not.toContain('lag');
    const generator = { ...EXAMPLE_LOAD.generator, dropped: 7, waitedAtCeiling: 1234 };
    expect(textOf({ generator }).replace(/\s+/g, ' ')).toContain(
      '7 dropped, 1,234 waited for a connection',
    );
  });

  test('reports comparisons with earlier runs, and which of them showed nothing', () => {
    const uncompared = { expression: 'slower==0', held: false };
    const trend = trendOf([], { refused: ['It ran on another machine.'] });
    const text = textOf({ thresholds: [uncompared], trend, baseline: BASELINE });
    expect(text).toContain('load stress: whether it became slower is not known, 170 of 200');
    expect(text).toMatch(/\? slower==0 +not known, see below/);
    expect(text).toContain('Against the baseline last-week of 2026-02-01');
    expect(text).toContain('? It ran on another machine.');
    const slower = { ...uncompared, measured: 2 };
    const reported = textOf({ thresholds: [slower], trend: trendOf([seriesOf()]) });
    expect(reported).toContain('load stress: 1 threshold broken');
    expect(reported).toMatch(/✗ slower==0 +was 2/);
    expect(reported).toContain('p95, measured by the control, is slower by 10.1 %');
  });

  test('names the step that a search for the breakpoint ended with', () => {
    const breakpoint = { step: 1, thresholds: ['p99<300ms'] };
    expect(textOf({ breakpoint, thresholds: [] }).replace(/\s+/g, ' ')).toContain(
      'breaks in twice (p99<300ms)',
    );
  });

  test('shows nothing that a terminal obeys', () => {
    const text = textOf({ steps: [loadStep({ name: 'a\u001b[31mb' })] });
    expect(text).not.toContain('\u001b');
  });

  test('keeps to the width', () => {
    const text = textOf();
    const own = text.slice(text.indexOf('load stress'), text.indexOf('load average'));
    const widest = Math.max(...own.split('\n').map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(110);
  });
});

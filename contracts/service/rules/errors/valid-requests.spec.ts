import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { resultsOf, verdictOf } from '../../../judging/verdicts.testkit.ts';

const ID = 'zap.errors.none-of-the-service';

/**
 * Answers to valid quotes, one letter each: `s` served, `f` failed, `d` down, `t` not answered. Of a
 * capital one the request is the same each time.
 */
function quotes(
  letters: string,
  code = 'INTERNAL_SERVER_ERROR',
  more: WireSketch = {},
): WireSketch[] {
  return Array.from(letters, (letter, at): WireSketch => {
    const kind = letter.toLowerCase();
    // One request is served in the end.
    const same = letter === 'S' ? 'F' : letter;
    const amount = letter === kind ? String(at) : same;
    const sent = { amount, ...(more.sent as object) };
    const asked = { method: 'POST', path: '/v1/quote', ...more, sent };
    if (kind === 's') return asked;
    if (kind === 't') return { ...asked, failure: 'timeout' };
    return { ...asked, status: kind === 'd' ? 503 : 500, answered: { code } };
  });
}

describe('valid requests that meet an error of the service each time', () => {
  test.each([
    ['FsFsF', 'fail /'],
    ['FFsF', 'fail /'],
    [`FsFsF${'s'.repeat(70)}`, 'fail /'],
    // It was sent twice alone, or was served once.
    ['FsFs', 'pass'],
    ['FsFsFS', 'pass'],
    // Different ones failed, each once.
    ['fsfsfsfsf', 'pass'],
    ['sssss', 'pass'],
    // Nothing was served while it failed: it went down, or is not there.
    ['ssFFF', 'pass'],
    ['FFF', 'not-reached'],
    // Outages may be over the next moment.
    ['DsDsD', 'pass'],
    ['DsDsDsDsDsDsDsD', 'pass'],
    ['TsTsT', 'pass'],
    ['TsTsTsTsT', 'fail /'],
  ])('%s: %s', (letters, verdict) => {
    expect(verdictOf(ID, ...quotes(letters))).toBe(verdict);
  });

  test('once of an outage takes as many as one', () => {
    const same = (letters: string): WireSketch[] =>
      quotes(letters).map((one, at) => ({
        ...one,
        sent: { amount: letters[at] === 's' ? String(at) : 'same' },
      }));
    expect(verdictOf(ID, ...same('DsFsF'))).toBe('pass');
    expect(verdictOf(ID, ...same('DsFsFsFsF'))).toBe('fail /');
  });

  test('are reported once for an operation, with how many of how many', () => {
    const [result] = resultsOf(ID, ...quotes('FsGsFsGsFsGsf'));
    expect(result?.findings).toHaveLength(1);
    expect(result?.findings[0]?.actual).toContain(
      '2 of 9 different valid requests to zap.quote failed each time, 6 times in all',
    );
  });

  test('a code that is about the request makes it a refusal, whatever its status', () => {
    for (const code of ['NO_ROUTE_FOUND', 'INSUFFICIENT_LIQUIDITY', 'VALIDATION_ERROR']) {
      expect(verdictOf(ID, ...quotes('sFsFsF', code))).toBe('pass');
    }
    expect(verdictOf(ID, ...quotes('sFsFsF', 'UNKNOWN_ERROR'))).toBe('fail /');
  });

  test('a simulation that fails says nothing of requests without one, unless all end in errors', () => {
    const path = '/v1/buildTx';
    const failed = (more: WireSketch = {}): WireSketch[] =>
      quotes('FFF', undefined, { path, sent: { estimateGas: true }, ...more });
    const plain = quotes('s', undefined, { path });
    expect(verdictOf(ID, ...failed(), ...plain)).toBe('pass');
    const between = failed().flatMap((one) => [...plain, one]);
    expect(verdictOf(ID, ...between)).toBe('fail /');
    // Whoever holds nothing meets an error in each.
    const message = 'execution reverted: transfer amount exceeds balance';
    const ofThePoor = between.map((one) =>
      one.status === 500 ? { ...one, answered: { code: 'INTERNAL', message } } : one,
    );
    expect(verdictOf(ID, ...ofThePoor)).toBe('pass');
  });

  test('of requests that are not known to be valid only one without an amount counts', () => {
    const probe = (about: string): WireSketch => ({ purpose: { kind: 'probe', about } });
    expect(verdictOf(ID, ...quotes('sFsFsF', undefined, probe('permit')))).toBe('not-reached');
    expect(verdictOf(ID, ...quotes('sFsFsF', undefined, probe('amount absent')))).toBe('fail /');
  });
});

describe('valid requests that meet an outage each time', () => {
  const OUTAGE = 'zap.errors.none-each-time';

  test.each([
    ['DsDsDsDsDsDsDsD', 'warn /'],
    // Seven may be as many moments; others are for the rule on errors of the service.
    ['DsDsDsDsDsDsD', 'pass'],
    ['FsFsFsFsFsFsFsF', 'pass'],
    // Nothing was served while it was out.
    ['ssDDDDDDDD', 'pass'],
    ['DDDDDDDD', 'not-reached'],
  ])('%s: %s', (letters, verdict) => {
    expect(verdictOf(OUTAGE, ...quotes(letters))).toBe(verdict);
  });
});

describe('valid requests that meet errors of the service at random', () => {
  const RATE = 'zap.errors.rarely-of-the-service';
  const rare = (failures: string, served: number): string =>
    Array.from(failures, (letter) => `${letter}${'s'.repeat(served)}`).join('');

  test.each([
    // Three in 97: between 0.64 % and 8.8 %.
    [rare('fff', 31), 'fail /'],
    [rare('ff', 31), 'pass'],
    // Three in three hundred may be one in five hundred.
    [rare('fff', 100), 'pass'],
    [rare('ffffffffff', 80), 'fail /'],
    // One outage, long as it is.
    [`${'s'.repeat(40)}${'f'.repeat(20)}${'s'.repeat(40)}`, 'pass'],
    // What fails each time has a rule of its own.
    [rare('FFFF', 10), 'pass'],
    [`${rare('FFFF', 10)}${rare('fff', 10)}`, 'pass'],
    [rare('FFFFS', 10), 'fail /'],
    [rare('ddddd', 10), 'pass'],
    ['s'.repeat(20), 'pass'],
    // So few would hardly show a service that fails in one of six.
    ['s'.repeat(19), 'not-reached'],
    ['fff', 'not-reached'],
  ])('%.40s: %s', (letters, verdict) => {
    expect(verdictOf(RATE, ...quotes(letters))).toBe(verdict);
  });

  test.each([
    [21, 1, 'the last 21 of 41 failed, while 20 others were served. The last: 500'],
    // So few may be one moment, and while nothing else is served it is an outage.
    [19, 2, undefined],
    [60, 0, undefined],
  ])(
    'are distinguished from an operation that has ended: %i, with %i others between',
    (count, others, words) => {
      const other: WireSketch = { method: 'GET', path: '/v1/config/chains' };
      const ended = quotes('f'.repeat(count)).flatMap((one) => [
        ...Array.from({ length: others }, () => other),
        one,
      ]);
      const [result] = resultsOf(RATE, ...quotes('s'.repeat(20)), ...ended);
      expect(result?.verdict).toBe(words === undefined ? 'pass' : 'fail');
      expect(result?.findings[0]?.actual ?? '').toContain(words ?? '');
    },
  );

  test('are reported with how sure that is', () => {
    const [result] = resultsOf(RATE, ...quotes(rare('fff', 31)));
    expect(result?.findings[0]?.actual).toContain(
      '3 of 96 (0.65 % to 8.9 %, 95 % sure) failed at zap.quote, in 3 separate moments',
    );
  });
});

describe('valid requests that are refused at times', () => {
  const AT_TIMES = 'zap.errors.served-is-not-refused';

  /** Answers to one quote, one letter each: `s` served, `r` refused. */
  const same = (
    letters: string,
    error: object = { code: 'RATE_CHANGED', message: 'rate changed' },
    more: WireSketch = {},
  ): WireSketch[] =>
    Array.from(letters, (letter): WireSketch => {
      const asked = { method: 'POST', path: '/v1/quote', sent: { amount: '1' } };
      return letter === 's' ? asked : { ...asked, status: 400, answered: error, ...more };
    });

  test('is reported with how many of how many, and how sure that is', () => {
    expect(verdictOf(AT_TIMES, ...same('srssrssrs'))).toBe('warn /');
    const [result] = resultsOf(AT_TIMES, ...same('srssrssrs'));
    expect(result?.findings[0]?.actual).toContain(
      '3 of 7 (9.9 % to 82 %, 95 % sure) were refused, sent again between two successes, at zap.quote,',
    );
  });

  test('is a share of what was sent again, in operations that refuse, and names them all', () => {
    const lists = Array.from({ length: 40 }, (): WireSketch => ({ path: '/v1/config/chains' }));
    const once = quotes('s'.repeat(40)).slice(2);
    const built = same('srrs').map((one) => ({ ...one, path: '/v1/buildTx' }));
    const [result] = resultsOf(AT_TIMES, ...lists, ...once, ...same('srssrsrs'), ...built);
    expect(result?.findings[0]?.actual).toContain('5 of 8 ');
    expect(result?.findings[0]?.actual).toContain('at zap.quote, zap.build-tx,');
  });

  test('is reported although others are asked for between, since none of them changes anything', () => {
    const other: WireSketch = { method: 'POST', path: '/v1/buildTx', sent: { amount: '2' } };
    const mixed = same('srssrssrs').flatMap((one) => [other, one]);
    expect(verdictOf(AT_TIMES, ...mixed)).toBe('warn /');
  });

  test('is not known from few requests, each of which would be sent again if it was refused', () => {
    const many = Array.from({ length: 20 }, (_, at): WireSketch => {
      return { method: 'POST', path: '/v1/quote', sent: { amount: String(at) } };
    });
    expect(verdictOf(AT_TIMES, ...many.slice(1))).toBe('not-reached');
    expect(verdictOf(AT_TIMES, ...many)).toBe('pass');
  });

  test('is reported of one operation although others serve far more', () => {
    const others = Array.from({ length: 900 }, (): WireSketch => {
      return { method: 'GET', path: '/v1/config/chains' };
    });
    expect(verdictOf(AT_TIMES, ...same('srssrssrs'), ...others)).toBe('warn /');
  });

  test.each([
    ['NO_ROUTE_FOUND', 'no route found'],
    ['INSUFFICIENT_LIQUIDITY', 'not now'],
    ['BAD_REQUEST', 'There is no liquidity for this pair at the moment'],
    ['SIMULATION_FAILED', 'execution reverted'],
  ])('a market that comes and goes is none: %s', (code, message) => {
    expect(verdictOf(AT_TIMES, ...same(`srssrssrs${'s'.repeat(14)}`, { code, message }))).toBe(
      'pass',
    );
  });

  test('a simulated build that the market has moved away from is none, and a changed rate is one', () => {
    const builds = (code: string): WireSketch[] =>
      same(`srssrssrs${'s'.repeat(14)}`, { code, message: 'refused' }).map((one) => ({
        ...one,
        path: '/v1/buildTx',
        sent: { estimateGas: true },
      }));
    expect(verdictOf(AT_TIMES, ...builds('SLIPPAGE_EXCEEDED'))).toBe('pass');
    expect(verdictOf(AT_TIMES, ...builds('RATE_CHANGED'))).toBe('warn /');
  });
});

import { describe, expect, test } from 'vitest';
import { checked, checkedLibrary, expectUndecided } from './checked-runs.testkit.ts';
import { type Answer, type Front, fronted, page, typed } from './fronted-services.testkit.ts';

/** Lets requests to some paths through, but for those from one to another, counted from 0. */
function through(paths: RegExp, first: number, answer: Answer, last = Infinity): Front {
  let seen = 0;
  return ({ method, path }) => {
    if (!paths.test(`${method} ${path}`)) return undefined;
    const at = seen;
    seen += 1;
    return at >= first && at <= last ? answer : undefined;
  };
}

describe('a service of one’s own that is gone in the middle of a run', () => {
  test('whose connections end from request 80 on', async () => {
    const seen = await checkedLibrary(through(/./, 80, 'silence'));
    expectUndecided(seen, /did not answer 3 times in a row/);
  });

  test.each<[string, Answer, RegExp]>([
    ['503', typed(503, 'UNAVAILABLE'), /only answered with errors of the server: the books API/],
    ['404', page(404), /only answered 404.*: the books API/],
    ['400', typed(400, 'BAD_REQUEST'), /every valid request was refused: the books API/],
  ])('that answers %s', async (_, answer, words) => {
    const seen = await checkedLibrary(through(/./, 40, answer));
    expect(seen.run.notices.join('\n')).toMatch(words);
    expect(seen.code).not.toBe(0);
  });

  test('of which one operation fails from its sixth request on', async () => {
    const seen = await checkedLibrary(through(/GET \/v1\/books$/, 5, typed(503, 'UNAVAILABLE')));
    expectUndecided(seen, /Served at first.*only answered with errors of the server: books\.list/);
  });
});

describe('the built-in service', () => {
  // The rules of one API are enough: requests of others are none of those that end.
  test.each<[string, string, Front, RegExp]>([
    [
      'hosts',
      'zap',
      through(/ zap\//, 100, typed(500, 'INTERNAL')),
      /errors of the server: the zap API/,
    ],
    [
      'trade builds',
      'trade',
      through(/trade\/v1\/buildTx/, 5, typed(503, 'SERVICE_UNAVAILABLE')),
      /errors of the server: trade\.build-tx/,
    ],
    [
      'trade builds',
      'trade',
      through(/trade\/v1\/buildTx/, 5, typed(422, 'NO_ROUTE_FOUND')),
      /refused: trade\.build-tx/,
    ],
    [
      'list of providers',
      'zap',
      through(/zap\/v1\/config\/providers/, 2, typed(503, 'SERVICE_UNAVAILABLE')),
      /errors of the server: zap\.providers/,
    ],
    [
      'pool details',
      'zap',
      through(/zap\/v1\/pool\/details/, 5, typed(404, 'NOT_FOUND')),
      /only answered 404.*: zap\.pool-details/,
    ],
    ['documents', 'docs', through(/ docs\//, 14, page(503)), /errors of the server: .*docs/],
  ])('whose %s ends in the middle of a run', async (_, only, front, words) => {
    const seen = await checked([...(await fronted(front)), '--only', only]);
    expect(seen.run.notices.join('\n')).toMatch(words);
  });

  test('whose zap host is out for a while', async () => {
    const front = through(/ zap\//, 30, typed(500, 'INTERNAL'), 100);
    const seen = await checked([...(await fronted(front)), '--only', 'zap']);
    expect(seen.run.notices.join('\n')).toMatch(
      /zap API met \d+ valid requests in a row with errors/,
    );
  });
});

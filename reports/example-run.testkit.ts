import type { RunJson, RunRuleRow } from '../contracts/run/run.ts';

/** A rule row that passed, for the specs of reports. */
export function ruleRow(changes: Partial<RunRuleRow> = {}): RunRuleRow {
  return {
    id: 'zap.quote.shape',
    level: 'must',
    source: '§2.2',
    verdict: 'pass',
    evidence: 40,
    protects: 'A client can parse every quote.',
    api: 'zap',
    findings: [],
    ...changes,
  };
}

/** A run with every kind of row, for the specs of reports. */
export const EXAMPLE_RUN: RunJson = {
  schemaVersion: 1,
  tool: { name: 'assay', version: '0.1.0', sha256: 'ef'.repeat(32) },
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:04:17.400Z',
  profile: 'gate',
  seed: 42,
  target: {
    kind: 'remote',
    urls: { zap: 'http://127.0.0.1:4001', trade: 'http://127.0.0.1:4002' },
    apis: ['zap', 'trade', 'docs', 'ai'],
    credentials: ['ASSAY_TRADE_KEY'],
  },
  contract: { sha256: 'ab'.repeat(32) },
  record: { id: '8f14e45f', exchanges: 812, head: 'cd'.repeat(32), files: {} },
  outcome: 'does-not-conform',
  complete: true,
  counts: { exchanges: 812, requests: 815, answered: 806, throttled: 4, failed: 2 },
  rules: [
    ruleRow(),
    ruleRow({
      id: 'zap.path.min-return-within-amount',
      source: 'card',
      verdict: 'fail',
      evidence: 412,
      protects: 'The amount that a user is sure to get is never above the amount that is quoted.',
      findings: [
        {
          pointer: '/data/path/0/output/0/minReturn',
          expected: 'at most amount, 1000000000000000000',
          actual: '"1000000000000000001"',
          exchanges: ['x00017', 'x00018', 'x00021'],
          curl: `curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcToken":"0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE","srcChainId":1}'`,
          count: 12,
        },
      ],
      counterexample: {
        exchanges: ['x00391'],
        curl: [
          `curl -i -X POST http://127.0.0.1:4001/v1/quote -H 'Content-Type: application/json' --data-raw '{"srcChainId":1,"slippage":3}'`,
        ],
        response: { status: 200, body: '{"status":"success","data":{}}' },
        differsIn: ['body/slippage'],
        reproduced: { times: 3, of: 3 },
        replay: 'zap.path.min-return-within-amount@drive:17',
      },
    }),
    ruleRow({ id: 'zap.pools.limit-default', source: '§4.1', evidence: 9 }),
    ruleRow({ id: 'zap.asset.decimals', source: 'implied by §2.2', evidence: 380 }),
    ruleRow({
      id: 'zap.errors.duplicate-keys',
      level: 'should',
      source: 'RFC 8259 section 4',
      verdict: 'warn',
      evidence: 31,
      protects: 'All parsers read the same error.',
      findings: [
        {
          pointer: '/code',
          expected: 'once',
          actual: 'twice',
          exchanges: ['x00102'],
          curl: 'curl -i http://127.0.0.1:4001/v1/pools?limit=x',
          count: 1,
        },
      ],
    }),
    ruleRow({
      id: 'trade.build.pair-key',
      source: 'card',
      api: 'trade',
      verdict: 'waived',
      protects: 'A client finds the quote of a pair by its key.',
      reason: 'provider migration (J. Doe, until 2026-02-01)',
      findings: [
        {
          pointer: '/quotes',
          expected: '1_a-2_b',
          actual: '1_A-2_b',
          exchanges: ['x00301'],
          curl: 'curl -i -X POST http://127.0.0.1:4002/v1/buildTx',
          count: 3,
        },
      ],
    }),
    ruleRow({
      id: 'trade.idempotency.replay',
      level: 'observe',
      source: '§4.2',
      api: 'trade',
      verdict: 'observed',
      evidence: 6,
    }),
    ruleRow({
      id: 'trade.quotes.stable',
      source: 'implied by §2.4',
      api: 'trade',
      verdict: 'inconclusive',
      evidence: 0,
      reason: "in 3 comparisons the service's answers moved meanwhile",
    }),
    ...['docs.openapi.published', 'docs.index.published', 'docs.auth.metadata'].map((id) =>
      ruleRow({
        id,
        source: '§1',
        api: 'docs',
        verdict: 'not-reached',
        evidence: 0,
        reason: 'the docs API is not configured',
      }),
    ),
  ],
  ledger: [
    {
      id: 'errors.status-type',
      clause: '§7 type of status',
      observed: ['a number in 31 of 31 errors'],
    },
  ],
  limits: [
    {
      api: 'zap',
      scope: 'per client address',
      verdict: 'identified',
      algorithms: ['fixed window from the first request'],
      limit: 60,
      windowSeconds: 60,
      retryAfter: { verdict: 'honest', detail: 'announced 41 s, admitted after 40.7 s' },
      requests: 97,
      seconds: 122.5,
    },
  ],
  notices: ['The docs API is not configured: its rules were not reached.'],
};

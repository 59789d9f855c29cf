import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
import type { RunJson, RunRuleRow } from '../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';

/** Texts of a service that would do something in one format or another. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  script: `<script>alert(1)</script><img src=x onerror="alert(1)"></details></summary>`,
  'ANSI escapes': '\u001b[31mred\u001b[0m\u001b]8;;http://x.invalid\u0007link\u001b]8;;\u0007',
  'right-to-left marks': 'a\u202Egnp.exe\u2066b\u200F',
  'lone surrogates and nulls': 'a\uD800b\uDFFFc\u0000d\uFFFEe',
  'what XML closes': ']]></failure></testcase><!-- & &#0; &lol; -->',
  Markdown:
    '# head\n\n- item\n\n[link](http://x.invalid) ![p](http://x.invalid/p.png) **bold** ```\n~~~\n| a | b |\n|--|--|\n<b>html</b> `code` http://x.invalid www.x.invalid a@x.invalid @team #1 $x$',
  'fences of backticks': '````` `` ``````\n```js\nx\n```',
  'workflow commands':
    '\n::error::owned\n  ::set-output name=x::y\r\n##[error]owned\r::add-mask::a%0A::stop-commands::t',
  'setext and rules': '===\n---\n***\n1. one\n> quote\n    code',
  long: 'long <b> '.repeat(20_000),
};

/** A run in which every text that comes from a service, a user or a record says this. */
export function hostileRun(text: string): RunJson {
  const finding = {
    operation: text,
    pointer: `/${text.replaceAll('~', '~0')}`,
    expected: text,
    actual: text,
    exchanges: [text, 'x1'],
    curl: text,
    count: 2,
  };
  const counterexample = {
    exchanges: [text],
    curl: [text, text],
    response: { status: 200, body: text },
    differsIn: [text],
    reproduced: { times: 1, of: 3 },
    replay: text,
    command: text,
    stopped: text,
  };
  const row = (id: string, changes: Partial<RunRuleRow>): RunRuleRow =>
    ruleRow({ id, source: text, protects: text, clauses: [text], reason: text, ...changes });
  return {
    ...EXAMPLE_RUN,
    rules: [
      row('zap.one', { verdict: 'fail', findings: [finding, finding], counterexample }),
      row(text, { verdict: 'fail', findings: [finding] }),
      row('zap.two', { verdict: 'warn', level: 'should', findings: [finding] }),
      row('zap.three', { verdict: 'waived', findings: [finding] }),
      row('zap.four', { verdict: 'not-reached', needs: text }),
      row('zap.five', { verdict: 'inconclusive' }),
    ],
    target: { kind: 'remote', urls: { zap: text, trade: text }, credentials: [text] },
    labels: { [text]: text },
    notices: [text],
    simulations: [
      {
        ...{ api: text, chainId: 1, node: 'user', result: 'failed', why: text, exchanges: [text] },
        changes: [
          {
            ...{ who: 'recipient', holder: text, token: text, promised: text, changed: text },
            isKept: false,
          },
        ],
      },
    ],
    ledger: [{ id: text, clause: text, observed: [text] }],
    limits: EXAMPLE_RUN.limits.map((limit) => ({ ...limit, scope: text, algorithms: [text] })),
    load: {
      ...EXAMPLE_LOAD,
      scenario: text,
      invalid: [text],
      thresholds: [{ expression: text, measured: 1, held: false }],
      violations: [{ rule: text, count: 1, firstStep: 0, firstExchange: text, bySteps: [] }],
    },
  };
}

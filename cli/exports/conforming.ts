/** One answer compared with the interface document, for a test of somebody else. */

import { printable } from '../../contracts/run/printable.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import type { FailOn } from '../../contracts/judging/rule-choice.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { RuleResult } from '../../contracts/judging/verdict.ts';
import { SERVICE } from '../service.ts';
import { type AskedOptions, exchangeOf } from './exchange-of.ts';
import { contractOf } from './judge-exchanges.ts';

/** What an answer is compared with. */
export interface ConformOptions extends AskedOptions {
  /** What to judge by; every rule of the document when absent. */
  readonly rules?: readonly Rule[] | 'all';
  /** The level from which a broken rule counts; `must` when absent. */
  readonly failOn?: FailOn;
}

/** What holding an answer against the document came to. */
export interface Conforming {
  readonly conforms: boolean;
  /** In lines, for a person. */
  readonly message: string;
}

/** More places of one rule are counted. */
const MAX_SHOWN = 3;

/**
 * @param received a `Response`, an exchange, a mocked answer `{ status, headers, body }`, or the JSON of
 *   a success
 * @throws TypeError when it is none, when nothing says what was asked, or when no rule speaks of it
 */
export async function conforming(
  received: unknown,
  options: ConformOptions = {},
): Promise<Conforming> {
  const contract = await contractOf(options);
  const exchange = await exchangeOf(received, options);
  const { rules = 'all', failOn = 'must' } = options;
  const judge = new Judge(rules === 'all' ? SERVICE.rules.ofRun(contract) : rules, contract);
  judge.add(exchange);
  const results = judge.results();
  const { method, path } = exchange.request;
  const what = `${contract.find(exchange.api, method, path)?.id ?? exchange.api} (${method} ${path})`;
  const [crash] = judge.crashes;
  if (crash !== undefined) throw new TypeError(crash);
  if (results.every(({ evidence }) => evidence === 0)) {
    throw new TypeError(
      printable(`no rule has anything to say of this answer to ${what}, so it shows nothing`),
    );
  }
  const broken = results.filter(
    ({ verdict }) => verdict === 'fail' || (verdict === 'warn' && failOn === 'should'),
  );
  if (broken.length === 0) {
    const judged = results.filter(({ evidence }) => evidence > 0).length;
    return {
      conforms: true,
      message: printable(
        `expected the answer to ${what} not to conform, and all of ${judged} rules hold`,
      ),
    };
  }
  const count = broken.length === 1 ? '1 rule' : `${broken.length} rules`;
  const head = `expected the answer to ${what} to conform, and it breaks ${count}:`;
  const lines = [head, ...broken.flatMap(linesOf)];
  return { conforms: false, message: lines.map((line) => printable(line)).join('\n') };
}

function linesOf({ rule, findings }: RuleResult): string[] {
  const { id, level, source, protects } = rule;
  const more = findings.length - MAX_SHOWN;
  return [
    '',
    `${id} (${level}, ${source}): ${protects}`,
    ...findings
      .slice(0, MAX_SHOWN)
      .flatMap(({ pointer, expected, actual, count }) => [
        `  at ${pointer === '' ? 'the answer as a whole' : pointer}${count > 1 ? `, ${count} times` : ''}`,
        `    expected: ${expected}`,
        `    actual:   ${actual}`,
      ]),
    ...(more > 0 ? [`  and at ${more} more places`] : []),
  ];
}

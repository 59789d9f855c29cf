import { isObject } from '../../../wire/json.ts';
import type { Judgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { Statements } from './published-statements.ts';
import { statementsOf } from './published-statements.ts';
import { readPublished } from './published-openapi.ts';

type Kind = keyof Statements['stated'];

// Section 1: the machine-readable contract is published. What it states of what the document states,
// too, it states alike; if it says nothing there is nothing to compare. The mirror is compared with
// the contract elsewhere.
function stating(
  row: Pick<Rule, 'id' | 'level' | 'source' | 'protects' | 'rulesOut'>,
  kind: Kind,
): Rule {
  return exchangeRule({
    ...row,
    api: 'docs',
    operations: ['docs.openapi'],
    answer: 'success',
    leastEvidence: 1,
    judge: ({ text }): Judgement => {
      const { document, faults } = readPublished(text);
      if (!isObject(document) || faults.length > 0) return null;
      const statements = statementsOf(document);
      return statements === undefined || statements.stated[kind] === 0 ? null : statements[kind];
    },
  });
}

/** Rules on what the published contract states (sections 1, 2, 4 and 7). */
export const publishedStatementRules: readonly Rule[] = [
  stating(
    {
      id: 'docs.openapi.types-as-documented',
      level: 'must',
      source: 'implied by §1, §2 (no service)',
      protects: 'A client made from the published contract sends and expects the documented types.',
      rulesOut:
        'A contract written by hand beside the code: amounts as numbers, chain ids as strings, slippage as a whole number.',
    },
    'types',
  ),
  stating(
    {
      id: 'docs.openapi.numbers-as-documented',
      level: 'must',
      source: '§2.1, §4.1, §8',
      protects: 'The published contract states the documented maximum and defaults.',
      rulesOut: 'A contract whose maximum or default of pools is another than 200 and 50.',
    },
    'numbers',
  ),
  stating(
    {
      id: 'docs.openapi.required-as-documented',
      level: 'should',
      source: 'implied by §1, §2.1, §2.3, §4.1',
      protects: 'The published contract requires the fields that are required, and no others.',
      rulesOut:
        'A contract that lets a client leave out its recipient, or makes it send an amount.',
    },
    'required',
  ),
];

import {
  type ExchangeRule,
  exchangeRule as statedExchangeRule,
  type Rule,
  type RunRule,
  runRule as statedRunRule,
} from '../../contracts/judging/rule.ts';

type Usual = 'level' | 'source' | 'answer' | 'leastEvidence';

/** What a rule of one's own need not say: the usual case. */
const USUAL: Pick<ExchangeRule, Usual> = {
  level: 'must',
  source: 'your own rule',
  answer: 'success',
  leastEvidence: 1,
};

type Written<Stated extends Pick<ExchangeRule, Usual>> = Omit<Stated, 'scope' | Usual> &
  Partial<Pick<Stated, Usual>>;

/** A rule over single answers: a `must` on successes that one of them proves, if it says no other. */
export function exchangeRule(rule: Written<ExchangeRule>): Rule {
  return statedExchangeRule({ ...USUAL, ...rule });
}

/** A rule over several answers, of the same defaults. */
export function runRule<Fact>(rule: Written<RunRule<Fact>>): Rule {
  return statedRunRule<Fact>({ ...USUAL, ...rule });
}

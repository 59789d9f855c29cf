import { Judge, type RuleResult } from '../../contracts/judging/judge.ts';
import { timesAmongOthers, timesToHold } from '../../contracts/judging/chance/times-to-hold.ts';
import type { FindingThen, Rate } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Session } from '../driven-service.ts';
import { isFailed } from './replay/kept-evidence.ts';
import type { Minimal } from './minimise.ts';
import { wordOf } from './replay/replay-word.ts';
import { metamorphicOf, type Reproducer } from './reproducer.ts';

/** Whether any of the requests uses up what it asks for. */
export function isSpent({ service }: Session, reproducer: Reproducer): boolean {
  return reproducer.some(({ request }) => service.isSpent?.(request) === true);
}

/**
 * What `--replay` takes to show a finding again by its requests alone; undefined if they did not
 * show it by themselves, or are not to be written down.
 */
export function replayWord(
  session: Session,
  { rule }: RuleResult,
  { reproducer, reproduced, exchanges }: Minimal,
  then: FindingThen | undefined,
  isWithoutSecrets: (text: string) => boolean = () => true,
): string | undefined {
  if (rule.answer === 'throttled') return undefined;
  const isTried = reproduced.of > 0 || exchanges.length > 0;
  const metamorphic = metamorphicOf(session.service, rule);
  const isAlone = rule.scope === 'exchange' || metamorphic !== undefined;
  const isUnseen = reproduced.times === 0 && exchanges.length === 0;
  // What shows at times shows by its requests alone.
  const isAtTimes = isAlone && then?.rate !== undefined && (reproduced.judged ?? 1) > 0;
  if (isTried ? isUnseen && !isAtTimes : !isAlone) return undefined;
  if (isSpent(session, reproducer)) return undefined;
  // What takes several requests to show is not shown by two.
  if (metamorphic?.wantsSeveral === true && reproducer.every(({ group }) => group === undefined))
    return undefined;
  const word = wordOf(then === undefined ? { reproducer } : { then, reproducer }, isWithoutSecrets);
  return word === undefined ? undefined : `${rule.id}@${word}`;
}

const ONCE: Rate = { broken: 1, judged: 1 };

/** Several requests may have broken a rule once each, and were counted for that: one break is certain for one. */
function ofOneRequest(rate: Rate | undefined): Rate | undefined {
  return rate === undefined || rate.broken >= rate.judged
    ? rate
    : { broken: 1, judged: 1 + rate.judged - rate.broken };
}

/** So many breaks, besides the one for which requests were chosen, say that they break a rule more often than others. */
const OF_ITS_REQUESTS = 2;

/**
 * How often requests show what shows at times. They were chosen for having shown it, which few sendings may hide: as
 * long as these do not say that it is of these requests, it may show as seldom as among comparable ones.
 */
function rarer(
  rate: Rate,
  { isTheirs, share }: { readonly isTheirs: boolean; readonly share: Rate | undefined },
): Rate {
  if (isTheirs || rate.broken >= rate.judged || share === undefined) return rate;
  return timesAmongOthers(share) > timesToHold(rate) ? share : rate;
}

/** What the rule says of the smallest requests; of all of its run if they were not seen to show it. */
export function thenOf(
  { contract }: Session,
  { rule, findings }: RuleResult,
  { exchanges, reproduced }: Minimal,
): FindingThen | undefined {
  const judge = new Judge([rule], contract);
  for (const exchange of exchanges) judge.add(exchange);
  const [found = findings[0]] = judge.results().flatMap((result) => result.findings);
  if (found === undefined) return undefined;
  const { pointer, expected, actual } = found;
  const { times, of, judged = of } = reproduced;
  // The smallest was seen once before; what was not made smaller, as often as in the run.
  const before = exchanges.length > 0 ? ONCE : ofOneRequest(findings[0]?.rate);
  const last = exchanges.at(-1);
  const rate =
    before === undefined
      ? undefined
      : rarer(
          { broken: before.broken + times, judged: before.judged + judged },
          { isTheirs: times >= OF_ITS_REQUESTS, share: findings[0]?.share },
        );
  return {
    ...{ pointer, expected, actual },
    ...given({ rate }),
    ...(last !== undefined && isFailed(last) ? { isFailed: true } : {}),
  };
}

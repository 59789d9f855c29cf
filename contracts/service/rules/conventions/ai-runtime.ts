import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';

/** What a gateway answers for a service that it does not reach (RFC 9110 section 15.6). */
const NOT_BEHIND: readonly number[] = [502, 503, 504];

interface Answer {
  readonly there: boolean;
  readonly said: string;
}

function answerOf({ exchange: { outcome }, status }: View): Answer {
  // Nothing says that the runtime speaks HTTP, so one that closes the connection is there too.
  if (outcome.kind === 'failure') {
    return { there: outcome.failure === 'closed', said: outcome.message };
  }
  return { there: !NOT_BEHIND.includes(status), said: `status ${status}` };
}

// Section 1: the AI runtime serves at its base address. Its endpoints are not shown (section 4.4), so
// any answer of its own will do.
function judgeAnswers(answers: readonly Collected<Answer>[]): GroupJudgement[] {
  const [first] = answers;
  if (first === undefined) return [];
  const there = answers.find(({ fact }) => fact.there);
  if (there !== undefined) return [{ witnesses: [there.witness], judgement: [] }];
  const broken = { pointer: '', expected: 'an answer of the AI runtime', actual: first.fact.said };
  return [{ witnesses: answers.map(({ witness }) => witness), judgement: [broken] }];
}

/** The rule that the AI runtime is there. */
export const aiRuntimeRules: readonly Rule[] = [
  runRule<Answer>({
    id: 'ai.reachable',
    level: 'should',
    source: 'implied by §1',
    protects: 'Something answers at the base address of the AI runtime.',
    rulesOut: 'A gateway with nothing behind it: it would answer 502, 503 or 504 to every request.',
    api: 'ai',
    operations: '*',
    answer: 'any',
    once: true,
    leastEvidence: 1,
    collect: answerOf,
    conclude: judgeAnswers,
  }),
];

import type { ContractOperation } from '../document/schema.ts';
import { placesBelow } from '../document/paths/places-below.ts';
import { areSegments, comparable, segmentsOf } from '../document/paths/path-template.ts';
import { excerpt } from '../judging/excerpt.ts';
import type { Collected, GroupJudgement, Rule } from '../judging/rule.ts';
import { runRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import { apiOf } from '../wire/exchange.ts';
import { isWithinContract } from '../judging/contract-probe.ts';
import { ABSENT, GATEWAY } from './own-answer.ts';

const SHOWN_CHARACTERS = 120;

/** The rule that an operation is there which a contract states. */
export function presenceRule(id: ContractOperation['id']): Rule {
  return runRule<Presence>({
    id: `${id}.is-there`,
    api: apiOf(id),
    operations: [id],
    leastEvidence: 1,
    level: 'should',
    source: 'contract',
    protects: 'An operation that the contract states is there.',
    rulesOut: 'A service without the operation: it would answer 404 or 405 to every request of it.',
    answer: 'answered',
    collect: presenceOf,
    conclude: judgePresence,
  });
}

/** What an answer to a request within the contract says of whether the operation is there. */
interface Presence {
  /** `unclear`: what asks for a credential, and a 404 that may be about what was asked for. */
  readonly kind: 'there' | 'absent' | 'unclear';
  readonly said: string;
  /** The prefix below which it was asked for, of those below which it may be. */
  readonly prefix: string;
  /** How many there are. */
  readonly places: number;
}

const NOT_ALLOWED: readonly number[] = [401, 403];
/** An operation may be missing for a moment, while a service is put in place. */
const MIN_CERTAIN_ANSWERS = 2;

function presenceOf(view: View): Presence | null {
  const { exchange, operation, status, text } = view;
  if (operation === undefined || !isWithinContract(view) || GATEWAY.includes(status)) return null;
  const { method, path, ...request } = exchange.request;
  const { prefixes, isCertain } = placesBelow(operation.servers, baseUrlOf(request.url, path));
  const segments = comparable(path.split('?', 1)[0] ?? '').split('/');
  const prefix = prefixes.find((one) =>
    areSegments(segments, segmentsOf(one + operation.pathTemplate)),
  );
  if (prefix === undefined) return null;
  const said = `${method} ${status} ${excerpt(text, SHOWN_CHARACTERS)}`;
  return { kind: kindOf(view, isCertain), said, prefix, places: prefixes.length };
}

function kindOf(view: View, isCertain: boolean): Presence['kind'] {
  if (NOT_ALLOWED.includes(view.status)) return 'unclear';
  if (!ABSENT.includes(view.status)) return 'there';
  return isCertain && !(view.status === 404 && isAboutAThing(view)) ? 'absent' : 'unclear';
}

/** The base URL that a request was sent below, as far as the record says. */
function baseUrlOf(url: string, path: string): string | undefined {
  return url.endsWith(path) ? url.slice(0, url.length - path.length) : undefined;
}

/** Whether 404 may say that there is no such thing as the one that was asked for. */
function isAboutAThing({ operation, exchange }: View): boolean {
  if (operation === undefined || operation.pathTemplate.includes('{')) return true;
  const isAsked = exchange.request.body !== null || exchange.request.path.includes('?');
  return isAsked && operation.namesStatus(404);
}

// The contract states the operation, so it is there, whatever it answers to a single request.
function judgePresence(answers: readonly Collected<Presence>[]): GroupJudgement[] {
  const there = answers.find(({ fact }) => fact.kind === 'there');
  if (there !== undefined) return [{ witnesses: [there.witness], judgement: [] }];
  const absent = answers.filter(({ fact }) => fact.kind === 'absent');
  const [first] = absent;
  if (
    first === undefined ||
    absent.length < MIN_CERTAIN_ANSWERS ||
    absent.length < answers.length ||
    new Set(absent.map(({ fact }) => fact.prefix)).size < first.fact.places
  ) {
    return [];
  }
  const broken = {
    pointer: '',
    expected: 'an answer of the operation that the contract states',
    actual: `${first.fact.said}, and the like to every request`,
  };
  return [{ witnesses: absent.map(({ witness }) => witness), judgement: [broken] }];
}

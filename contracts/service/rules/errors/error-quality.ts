import { excerpt } from '../../../judging/excerpt.ts';
import { isObject, pointerStep } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { clientErrorRule } from './client-error.ts';
import { errorMeaningRules } from './error-meaning.ts';
import { errorRunRules } from './error-runs.ts';

/** A rule on what follows from section 7 for the errors of an API. */
function onErrors(
  api: ApiName,
  rule: Pick<Rule, 'source' | 'protects' | 'rulesOut'> & {
    readonly name: string;
    readonly judge: (view: View) => readonly Broken[] | null;
  },
): Rule {
  const { name, judge, ...reported } = rule;
  return exchangeRule({
    id: `${api}.errors.${name}`,
    level: 'should',
    ...reported,
    api,
    operations: '*',
    answer: 'error',
    leastEvidence: 1,
    judge,
  });
}

const TEXTS: readonly string[] = ['code', 'message', 'requestId'];

// Section 7 asks for a stable code, a message for people and an identifier: none is empty.
function emptyTexts({ json }: View): readonly Broken[] | null {
  if (!isObject(json)) return null;
  return TEXTS.filter((field) => {
    const value = json[field];
    return typeof value === 'string' && value.trim() === '';
  }).map((field) => ({
    pointer: pointerStep(field),
    expected: 'a text that says something',
    actual: JSON.stringify(json[field]),
  }));
}

/** What HTTP has as a status; a number outside is of another kind, which is open. */
function isHttpStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 599;
}

const MAX_USUAL = 400;

// Section 7: `status` is the status of the error. One that is written as an HTTP status says what
// HTTP says; of what else a status may be made is open.
function otherStatus({ json, status }: View): readonly Broken[] | null {
  if (!isObject(json) || typeof json.status !== 'number') return null;
  // An error that says that it succeeded has a rule of its own.
  if (!isHttpStatus(json.status) || (json.status >= 200 && json.status <= 208)) return null;
  // That is what a service says which says the same of every error.
  if (json.status === status) return status === MAX_USUAL ? null : [];
  const expected = `the status of the response, ${status}`;
  return [{ pointer: '/status', expected, actual: String(json.status) }];
}

/** Lines that only a stack trace, a panic or a database driver writes. */
const INTERNALS: readonly RegExp[] = [
  /(?:\n|\\n)\s{1,40}at .{1,200}:\d+(?::\d+)?\)?/,
  /\bat [\w$.<>]+ \((?:file:\/\/|node:|\/|[A-Z]:\\)[^)]{1,200}:\d+:\d+\)/,
  /Traceback \(most recent call last\)/,
  /\bgoroutine \d+ \[/,
  /\bat [\w$.]+\([A-Z]\w*\.(?:java|kt|scala):\d+\)/,
  /\bthread '[^']*' panicked at /,
  /\b(?:SQLSTATE\[|ER_[A-Z_]{5,}: |SequelizeDatabaseError|PrismaClient\w{0,60}Error)/,
];

/** What stands further down in an error is not looked at. */
const MAX_CHARACTERS = 100_000;

/** What every one of them holds. */
const HINT = /\bat |Traceback|goroutine|thread|SQLSTATE|ER_|Sequelize|Prisma/;

// Section 7: the message is for people. A stack trace is for the service's own log, and shows an
// attacker where to look.
function internals(view: View): readonly Broken[] | null {
  if (view.text === '') return null;
  const text = view.text.slice(0, MAX_CHARACTERS);
  if (!HINT.test(text)) return [];
  for (const pattern of INTERNALS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const expected = 'a message for people, without what is internal to the service';
    return [{ pointer: '', expected, actual: excerpt(found[0], 120) }];
  }
  return [];
}

function qualityRules(api: ApiName): readonly Rule[] {
  return [
    onErrors(api, {
      name: 'texts-not-empty',
      source: 'implied by §7',
      protects: 'The code, message and request id of an error say something.',
      rulesOut: 'A service that fills the members of an error with empty texts.',
      judge: emptyTexts,
    }),
    onErrors(api, {
      name: 'status-is-http-status',
      source: 'implied by §7',
      protects: 'An HTTP status in an error body is that of the response.',
      rulesOut:
        'A service that writes 400 or 500 in the body of every error: the status of this one is not 400.',
      judge: otherStatus,
    }),
    onErrors(api, {
      name: 'no-internals',
      source: 'implied by §7',
      protects: 'Errors show no stack trace and nothing else that is internal to the service.',
      rulesOut: 'A service that hands exceptions on as they are.',
      judge: internals,
    }),
    clientErrorRule(api),
    ...errorMeaningRules(api),
    ...errorRunRules(api),
  ];
}

export const errorQualityRules: readonly Rule[] = [
  ...qualityRules('zap'),
  ...qualityRules('trade'),
];

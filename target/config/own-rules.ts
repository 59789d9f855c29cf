/** The member `rules` of a configuration module: rules that somebody wrote for a service. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { LEVELS } from '../../contracts/judging/rule-choice.ts';
import type { Answer, Rule } from '../../contracts/judging/rule.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { importConfig } from './config-module.ts';
import { listOf, Unwanted } from './config-value.ts';
import { guarded } from './guarded-rule.ts';
import {
  isAbsentOr,
  isId,
  isListOf,
  isOperations,
  isPlainFunction,
  isText,
  type MemberCheck,
  type Members,
  refuseTwice,
  requireMembers,
} from './own-members.ts';
import { type ReadRelation, readRelations } from './own-relations.ts';

/** Where rules of one's own stand: plain data, since no thread can be posted functions. */
export interface OwnRulesSource {
  /** Absolute path of the configuration module. */
  readonly path: string;
  /** The environment of it whose values are taken. */
  readonly env?: string;
}

const ANSWERS: readonly Answer[] = [
  ...(['success', 'error', 'throttled', 'answered', 'any', 'responded'] as const),
];
const MAX_RULES = 500;
const FUNCTIONS: Readonly<Record<Rule['scope'], readonly string[]>> = {
  exchange: ['judge'],
  run: ['collect', 'conclude'],
};
const MEMBERS = [
  ...['scope', 'id', 'level', 'source', 'protects', 'rulesOut', 'api', 'besides', 'operations'],
  ...['answer', 'relation', 'once', 'underLoad', 'needs', 'leastEvidence'],
  ...['judge', 'collect', 'conclude', 'weigh', 'latestOf'],
];

/**
 * Reads the member `rules`; throws {@link Unwanted}.
 *
 * @param apis those of the service
 */
export function readRules(value: unknown, apis: readonly ApiName[]): readonly Rule[] {
  const wanted = 'a list of rules, each made by exchangeRule or runRule of the package';
  const rules = listOf(value, wanted, (item) => readRule(item, apis));
  if (rules.length > MAX_RULES)
    throw new Unwanted(`at most ${MAX_RULES} rules`, `${rules.length} rules`);
  refuseTwice(
    'rules',
    rules.map(({ id }) => id),
  );
  return rules.map(guarded);
}

function readRule(item: unknown, apis: readonly ApiName[]): Rule {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new Unwanted(
      'a list of rules, each made by exchangeRule or runRule of the package',
      `a list with ${item === null ? 'null' : typeof item} in it`,
    );
  }
  const rule = item as Members;
  const { id, scope } = rule;
  if (!isId(id)) {
    throw new Unwanted(
      'an id of two words or more, in small letters, joined by dots: ours.quote.in-time',
      shownId(id),
    );
  }
  if (scope !== 'exchange' && scope !== 'run') {
    throw new Unwanted('a rule made by exchangeRule or runRule of the package', `rule ${id}`);
  }
  requireMembers(`rule ${id}`, rule, MEMBERS, checksOf(rule, FUNCTIONS[scope], apis));
  return item as unknown as Rule;
}

function shownId(id: unknown): string {
  return typeof id === 'string'
    ? `a rule with the id "${id.slice(0, 100)}"`
    : 'a rule without an id';
}

function checksOf(
  rule: Members,
  functions: readonly string[],
  apis: readonly ApiName[],
): readonly MemberCheck[] {
  const isApi = (value: unknown): boolean => apis.some((name) => name === value);
  return [
    ['level', LEVELS.some((one) => one === rule.level), `one of ${LEVELS.join(', ')}`],
    ['source', isText(rule.source), 'a text on where the promise stands'],
    ['protects', isText(rule.protects), 'one sentence on what a user can rely on'],
    ['rulesOut', isAbsentOr(isText)(rule.rulesOut), 'one sentence on the wrong answer'],
    ['api', isApi(rule.api), `one of ${apis.join(', ')}`],
    ['besides', isAbsentOr(isListOf(isApi))(rule.besides), `a list of ${apis.join(', ')}`],
    [
      'operations',
      rule.operations === '*' || isOperations(rule.operations),
      'a list of operations such as zap.quote, or "*"',
    ],
    ['answer', ANSWERS.some((one) => one === rule.answer), `one of ${ANSWERS.join(', ')}`],
    ['relation', isAbsentOr(isText)(rule.relation), 'the kind of a relation'],
    ['once', isAbsentOr((one) => one === true)(rule.once), 'true, or nothing'],
    [
      'underLoad',
      isAbsentOr((one) => one === 'not judged' || one === 'without failures')(rule.underLoad),
      '"not judged" or "without failures"',
    ],
    [
      'needs',
      isAbsentOr((one) => isNeeds(one, isApi))(rule.needs),
      '{ apis, also }: APIs that are asked besides its own, and what else a user has to give',
    ],
    [
      'leastEvidence',
      Number.isSafeInteger(rule.leastEvidence) && Number(rule.leastEvidence) >= 1,
      'a whole number from 1: with no evidence nothing passes',
    ],
    ...functions.map(
      (name) => [name, isPlainFunction(rule[name]), 'a function, none that is async'] as const,
    ),
    ...['weigh', 'latestOf'].map(
      (name) => [name, isAbsentOr(isPlainFunction)(rule[name]), 'a function, or nothing'] as const,
    ),
  ];
}

function isNeeds(value: unknown, isApi: (api: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { apis, also, ...others } = value as Members;
  return isListOf(isApi)(apis) && isText(also) && Object.keys(others).length === 0;
}

/** What a configuration brings to judge by. */
export interface OwnJudging {
  /** Its rules, then those of its relations. */
  readonly rules: readonly Rule[];
  readonly relations: readonly ReadRelation[];
}

/**
 * The rules of a configuration that was read before, so that they are right, then those of its relations;
 * none if there is no source. The module is evaluated in the thread that asks.
 *
 * @param apis those of the service
 */
export async function loadOwnRules(
  source: OwnRulesSource | undefined,
  apis: readonly ApiName[],
): Promise<readonly Rule[]> {
  return readJudging(await valuesAt(source), apis).rules;
}

/** The values of the module, those of its chosen environment in place of its own. */
export async function valuesAt(source: OwnRulesSource | undefined): Promise<Members> {
  if (source === undefined) return {};
  const { path, env } = source;
  const values = (await importConfig(path)) as Members;
  const environments = (values.environments ?? {}) as Readonly<Record<string, Members>>;
  return { ...values, ...(env === undefined ? {} : environments[env]) };
}

/**
 * Reads the members `rules` and `relations`; throws {@link Unwanted}.
 *
 * @param apis those of the service
 */
export function readJudging(
  { rules = [], relations = [] }: Members,
  apis: readonly ApiName[],
): OwnJudging {
  const read = readRelations(relations, apis);
  const all = [...readRules(rules, apis), ...read.map(({ rule }) => rule)];
  refuseTwice(
    'rules',
    all.map(({ id }) => id),
  );
  return { rules: all, relations: read };
}

/** What a record says of rules of one's own. */
export interface OwnRulesRow {
  /** The name of the configuration file. */
  readonly file: string;
  /** Digest in hex of the rules as they are written; what they import is no part of it. */
  readonly sha256: string;
}

/** Says which rules of one's own they are; undefined if there are none. */
export function describeOwnRules(
  source: OwnRulesSource | undefined,
  rules: readonly Rule[],
): OwnRulesRow | undefined {
  if (source === undefined || rules.length === 0) return undefined;
  const written = JSON.stringify(rules, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
  const sha256 = createHash('sha256').update(written).digest('hex');
  return { file: basename(source.path), sha256 };
}

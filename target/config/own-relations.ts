/** The member `relations` of a configuration: what must hold between the answers to two requests. */

import { LEVELS } from '../../contracts/judging/rule-choice.ts';
import type { Broken, Level, Rule } from '../../contracts/judging/rule.ts';
import type { View } from '../../contracts/judging/view.ts';
import { type RelationRow, relationRule } from '../../contracts/rules/relation-rule.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { guarded } from './guarded-rule.ts';
import { ofOwnCode } from './own-code.ts';
import { type OwnKind, readOwnItems } from './own-items.ts';
import {
  isAbsentOr,
  isOperations,
  isPlainFunction,
  isText,
  type MemberCheck,
  type Members,
  refuseTwice,
} from './own-members.ts';
import { type OwnRequest, type ReadRequest, readRequest } from './own-request.ts';

/** A request that was served, as the change of a relation is given it. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  /** Its body as JSON; absent if it has none, or none that is JSON. */
  readonly body?: unknown;
}

/**
 * A metamorphic relation as somebody writes it: another request that is made of one, and what must hold
 * between the answers to the two. Its functions are methods, so that relations over answers of different
 * types can stand in one list.
 *
 * @typeParam Digest what of an answer is compared; JSON, since answers to one request are equal as JSON
 */
export interface OwnRelation<Digest = unknown> {
  readonly scope: 'relation';
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  readonly protects: string;
  readonly rulesOut?: string;
  readonly api: ApiName;
  /** The operations whose valid requests it is tried on. */
  readonly operations: readonly string[];
  /** The request with something changed; undefined if it has nothing of the sort. */
  change(request: ServedRequest): OwnRequest | undefined;
  /** What of a successful answer is compared; null when there is nothing to compare. */
  digest(view: View): Digest | null;
  /** How the answer to the changed request breaks the relation to that to the other. */
  compare(answer: Digest, changed: Digest): readonly Broken[];
  /** Whether a pair is evidence: not what a wrong service would answer just the same. All do when absent. */
  tells?(answer: Digest, changed: Digest): boolean;
  /** What is expected if the changed request is refused; a refusal says nothing when absent. */
  readonly refused?: string;
}

/** A metamorphic relation of one's own, as a configuration takes it. */
export function relation<Digest>(row: Omit<OwnRelation<Digest>, 'scope'>): OwnRelation<Digest> {
  return { ...row, scope: 'relation' };
}

/** A relation of a configuration that was read. */
export interface ReadRelation {
  /** What answers are compared by, also while they come. */
  readonly row: RelationRow;
  /** What judges them. */
  readonly rule: Rule;
  /** @throws OwnCodeFailed when it throws, or gives no request */
  readonly change: (request: ServedRequest) => ReadRequest | undefined;
}

const RELATION: OwnKind = {
  ...{ name: 'relation', key: 'id', example: 'ours.list.in-order', most: 100 },
  members: [
    ...['scope', 'id', 'level', 'source', 'protects', 'rulesOut', 'api', 'operations'],
    ...['change', 'digest', 'compare', 'tells', 'refused'],
  ],
};

/**
 * Reads the member `relations`; throws {@link Unwanted}.
 *
 * @param apis those of the service
 */
export function readRelations(value: unknown, apis: readonly ApiName[]): readonly ReadRelation[] {
  const relations = readOwnItems(
    value,
    RELATION,
    (given) => checksOf(given, apis),
    (checked) => relationOf(checked as unknown as OwnRelation),
  );
  refuseTwice(
    'relations',
    relations.map(({ row }) => row.id),
  );
  return relations;
}

function checksOf(given: Members, apis: readonly ApiName[]): readonly MemberCheck[] {
  return [
    ['level', LEVELS.some((one) => one === given.level), `one of ${LEVELS.join(', ')}`],
    ['source', isText(given.source), 'a text on where the promise stands'],
    ['protects', isText(given.protects), 'one sentence on what a user can rely on'],
    ['rulesOut', isAbsentOr(isText)(given.rulesOut), 'one sentence on the wrong answer'],
    ['api', apis.some((api) => api === given.api), `one of ${apis.join(', ')}`],
    ['operations', isOperations(given.operations), 'a list of operations'],
    ...(['change', 'digest', 'compare'] as const).map(
      (name) => [name, isPlainFunction(given[name]), 'a function, none that is async'] as const,
    ),
    ['tells', isAbsentOr(isPlainFunction)(given.tells), 'a function, or nothing'],
    ['refused', isAbsentOr(isText)(given.refused), 'a text on what is expected instead'],
  ];
}

function relationOf(own: OwnRelation): ReadRelation {
  const { id, level, source, protects, rulesOut, api, operations, refused } = own;
  const what = `the relation ${id}`;
  const row: RelationRow = {
    ...{ id, level, source, protects, api, operations, relation: id },
    ...(rulesOut === undefined ? {} : { rulesOut }),
    ...(refused === undefined ? {} : { refused }),
    ...(own.tells === undefined
      ? {}
      : { isEvidence: (a, b) => ofOwnCode(what, () => own.tells?.(a, b) !== false) }),
    digest: (view) => ofOwnCode(what, () => own.digest(view) ?? null),
    compare: (a, b) => ofOwnCode(what, () => brokenOf(own.compare(a, b))),
  };
  return {
    row,
    rule: guarded(written(relationRule(row), own)),
    change: (request) =>
      ofOwnCode(what, () => {
        const changed = own.change(request);
        return changed === undefined ? undefined : readRequest(changed);
      }),
  };
}

/** A digest of the rule is one of what was written, not of what makes a rule of it. */
function written(rule: Rule, own: OwnRelation): Rule {
  const text = JSON.stringify(own, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
  if (rule.scope === 'run') Object.defineProperty(rule.conclude, 'toString', { value: () => text });
  return rule;
}

function brokenOf(given: unknown): readonly Broken[] {
  const isList =
    Array.isArray(given) &&
    given.every(
      (one: unknown) =>
        typeof one === 'object' &&
        one !== null &&
        ['pointer', 'expected', 'actual'].every(
          (name) => typeof (one as Members)[name] === 'string',
        ),
    );
  if (isList) return given as readonly Broken[];
  throw new TypeError('compare gives a list of { pointer, expected, actual }, all of them texts');
}

import type { RelationRow } from '../../contracts/rules/relation-rule.ts';
import type { TriedRequest } from './tried-request.ts';

/** A request with something changed, whose answer is compared with that to the one it was made of. */
export interface ChangedRequest {
  readonly request: TriedRequest;
  /** Whether it is what a wrong service takes the changed request for: it is sent in the role C. */
  readonly isControl?: true;
}

/** What must hold between the answers to related requests. */
export interface RelatedRules {
  /** The kind of relation that exchanges are marked with, by which its rules find them. */
  readonly name: string;
  /** The rows of its rules, with all that these compare answers by. */
  readonly rules: readonly RelationRow[];
  /**
   * Whether its rules want several different changed requests, each between two unchanged ones, so that
   * one pair shows too little.
   */
  readonly wantsSeveral?: true;
}

/**
 * A metamorphic relation: how another request is made of one, and the rules on what must hold between
 * their answers, with all that these compare by. The first request is sent in the role A, the changed
 * one in B.
 *
 * @typeParam Source what a request is made of: the first request, and what else the change needs
 */
export interface MetamorphicRelation<Source = unknown> extends RelatedRules {
  /** The first request with something changed; nothing if it has nothing of the sort. */
  change(source: Source): readonly ChangedRequest[];
}

/** Another request whose answer is compared with that to the first, and by which relation. */
export interface Other extends ChangedRequest {
  readonly relation: RelatedRules;
}

/**
 * A metamorphic relation as one object.
 *
 * @throws TypeError when its rules look for exchanges of different kinds, or there are none
 */
export function relation<Source>({
  rules,
  change,
}: {
  readonly rules: readonly RelationRow[];
  /** One changed request, several, or undefined if there is nothing to change. */
  readonly change: (source: Source) => TriedRequest | readonly ChangedRequest[] | undefined;
}): MetamorphicRelation<Source> {
  const names = [...new Set(rules.map((row) => row.relation))];
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const reported =
      names.length === 0 ? 'it has no rule' : `its rules are of ${names.join(' and ')}`;
    throw new TypeError(`a metamorphic relation is of one kind: ${reported}`);
  }
  return {
    name,
    rules,
    change: (source) => {
      const changed = change(source);
      if (changed === undefined) return [];
      return 'path' in changed ? [{ request: changed }] : changed;
    },
  };
}

/** What some relations make of one source, in their order. */
export function changesBy<Source>(
  relations: readonly MetamorphicRelation<Source>[],
  source: Source,
): Other[] {
  return relations.flatMap((one) =>
    one.change(source).map((changed): Other => ({ relation: one, ...changed })),
  );
}

import { excerpt } from '../../../judging/excerpt.ts';
import type { Broken, Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { jsonOrUndefined } from '../../../wire/parse-json.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import type { AcceptedInput } from './accepted-input.ts';
import { isWayBack } from './accepted-input.ts';
import { ACCEPTED_INPUTS } from './accepted-inputs.ts';
import type { AnswerKind } from '../shared/answer-kind.ts';
import { answerKindOf } from '../shared/answer-kind.ts';
import type { RelationRow } from '../../../rules/relation-rule.ts';

/** At least this many different requests with an input must be refused before it counts as not taken. */
export const REFUSALS = 3;

/** The relation between a request without an input (A, before and after) and one with it (B). */
export function relationOf({ id }: Pick<AcceptedInput, 'id'>): string {
  return `accepted:${id}`;
}

interface Fact {
  readonly operation: string;
  /** Which form of the input it has. */
  readonly form: string | null;
  /** Its place in the relation; undefined for an answer outside of it, which was a success then. */
  readonly place: { readonly group: string; readonly role: string } | undefined;
  readonly answer: AnswerKind;
  readonly said: string;
  /** The reason of its own that a refusal has. */
  readonly excuse: AcceptedInput['excuse'];
}

/** What the code of an error names that has such a reason. */
const EXCUSES: Readonly<Record<NonNullable<AcceptedInput['excuse']>, RegExp>> = {
  'no-route': /ROUTE|LIQUIDITY|PATH|PAIR|NO_QUOTE/i,
  'too-many': /TOO_|BATCH|MAX|LIMIT|SIZE/i,
};

function factOf(row: AcceptedInput, view: View): Fact | null {
  const { purpose, relations } = view.exchange;
  if (purpose.kind === 'invalid' || view.operation === undefined) return null;
  const place = relations.find(({ kind }) => kind === relationOf(row));
  const answer = answerKindOf(view);
  if (place === undefined && answer !== 'served') return null;
  const { query, requestJson, exchange } = view;
  const form = row.formOf({ query, requestJson, headers: exchange.request.headers });
  if (place === undefined && form === null) return null;
  const said = answer === 'served' ? '' : `${view.status} ${excerpt(view.text, 120)}`;
  const code = errorCodeOf(view.json) ?? '';
  const excuse = row.excuse && EXCUSES[row.excuse].test(code) ? row.excuse : undefined;
  return { operation: view.operation.id, form, place, answer, said, excuse };
}

type Facts = readonly Collected<Fact>[];

/** A request with an input that was refused, while it was served without it before and after. */
interface Refusal {
  readonly said: string;
  /** Of the refused one, then of the other. */
  readonly witnesses: readonly [Witness, Witness];
}

function refusalIn(group: Facts): Refusal | undefined {
  const [before] = group;
  const after = group.at(-1);
  const others = group.filter(({ fact }) => fact.place?.role === 'B');
  const [refused] = others;
  if (before === undefined || after === undefined || refused === undefined) return undefined;
  const isBetween = [before, after].every(({ fact }) => fact.place?.role === 'A');
  const isRefused = group.every(({ fact: { place, answer } }) =>
    place?.role === 'B' ? answer === 'refused' : answer === 'served',
  );
  if (!isBetween || !isRefused) return undefined;
  const { excuse } = refused.fact;
  if (excuse === 'too-many') return undefined;
  if (excuse === 'no-route' && !isWayBack(bodyOf(refused.witness), bodyOf(before.witness))) {
    return undefined;
  }
  return { said: refused.fact.said, witnesses: [refused.witness, before.witness] };
}

function bodyOf({ request }: Witness): unknown {
  return jsonOrUndefined(request.body?.text ?? '');
}

// One request may be refused for a reason of its own. So only an input that is refused in several
// different ones, and never taken in the whole run, is wrong.
function judgeInputs({ forms }: AcceptedInput, facts: Facts): GroupJudgement[] {
  const served = new Map<string, Witness>();
  const groups = new Map<string, Collected<Fact>[]>();
  for (const one of facts) {
    const { fact, witness } = one;
    const key = `${fact.operation} ${fact.form}`;
    if (fact.answer === 'served' && fact.form !== null && !served.has(key)) {
      served.set(key, witness);
    }
    if (fact.place === undefined) continue;
    const known = groups.get(fact.place.group);
    if (known === undefined) groups.set(fact.place.group, [one]);
    else known.push(one);
  }
  const judged: GroupJudgement[] = Array.from(served.values(), (witness) => {
    return { witnesses: [witness], judgement: [] };
  });
  const refusals = new Map<string, { input: string; found: Map<string, Refusal> }>();
  for (const group of groups.values()) {
    const other = group.find(({ fact }) => fact.place?.role === 'B');
    const refusal = refusalIn(group);
    if (other === undefined || refusal === undefined || other.fact.form === null) continue;
    const { operation, form } = other.fact;
    const key = `${operation} ${form}`;
    if (served.has(key)) continue;
    const input = forms[form] ?? form;
    const known = refusals.get(key) ?? { input, found: new Map<string, Refusal>() };
    const { path, body } = other.witness.request;
    known.found.set(`${path} ${body?.text ?? ''}`, refusal);
    refusals.set(key, known);
  }
  for (const { input, found } of refusals.values()) judged.push(judgeRefusals(input, found));
  return judged;
}

function judgeRefusals(input: string, found: ReadonlyMap<string, Refusal>): GroupJudgement {
  const refusals = [...found.values()];
  const witnesses = refusals.flatMap((refusal) => refusal.witnesses);
  if (refusals.length < REFUSALS) return { witnesses, judgement: 'inconclusive' };
  const broken: Broken = {
    pointer: '',
    expected: `a success with ${input}, as without, before and after`,
    actual: `refused in ${refusals.length} different requests: ${refusals.at(-1)?.said ?? ''}`,
  };
  return { witnesses, judgement: [broken] };
}

/** Rules that documented inputs are taken, of one API. */
export function acceptedInputRules(operations: readonly string[]): readonly Rule[] {
  return ACCEPTED_INPUTS.filter((row) =>
    row.operations.some((one) => operations.includes(one)),
  ).map((row) =>
    runRule<Fact>({
      id: row.id,
      level: row.level ?? 'must',
      source: row.source,
      protects: row.protects,
      rulesOut: row.rulesOut,
      api: row.api satisfies ApiName,
      operations: row.operations,
      answer: 'answered',
      once: true,
      leastEvidence: 1,
      collect: (view) => factOf(row, view),
      conclude: (facts) => judgeInputs(row, facts),
    }),
  );
}

/** The row of the relation of an input, by which a finding is shown with two requests. */
export function acceptanceRow(input: AcceptedInput): RelationRow {
  return {
    id: input.id,
    level: input.level ?? 'must',
    source: input.source,
    protects: input.protects,
    rulesOut: input.rulesOut,
    relation: relationOf(input),
    api: input.api,
    operations: input.operations,
    digest: () => 'served',
    compare: () => [],
    refused: 'a success, as without the input',
  };
}

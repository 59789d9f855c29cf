import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { answerKindOf } from '../shared/answer-kind.ts';
import type { FieldRow, Sense } from './excluded-values.ts';
import { senseOf } from './excluded-values.ts';
import { poolsOf } from '../readings/pool-list.ts';
import { defectiveFieldOf, isFieldDefect, valueIn } from './request-fields.ts';
import type { Reading } from './request-readings.ts';
import { differenceOf, isTaken, requestReadingOf } from './request-readings.ts';

/**
 * How the driver marks a request with one defect and the same request without it: one group for each
 * request without, whose role is `plain`. The role of the others is `defect`.
 */
export const EXCLUDED_INPUT = 'excluded-input';

/** A request without a defect that others are compared with. */
export interface Plain {
  readonly kind: 'plain';
  readonly group: string;
  readonly served: boolean;
  /** What it holds in each field that may be defective; undefined if it was not served. */
  readonly valueOf: ReadonlyMap<string, unknown>;
  readonly reading: Reading;
}

/** A request with one defect, and what was answered. */
export interface Defective {
  readonly kind: 'defective';
  /** Undefined for one that nothing was sent without the defect beside. */
  readonly group: string | undefined;
  readonly operation: string;
  readonly defect: string;
  readonly field: string | undefined;
  readonly row: FieldRow | undefined;
  readonly value: unknown;
  /** `crashed`: an error of the service; `unclear`: what says nothing of the request. */
  readonly answer: 'taken' | 'refused' | 'crashed' | 'unclear';
  readonly status: number;
  readonly reading: Reading;
}

export type InputFact = Plain | Defective;

const FACT = memoOf(readFact);

/** What an exchange says of inputs that the document excludes; null for most. */
export function inputFactOf(view: View): InputFact | null {
  return view.get(FACT);
}

function readFact(view: View): InputFact | null {
  const { purpose, relations } = view.exchange;
  const mark = relations.find(({ kind }) => kind === EXCLUDED_INPUT);
  if (view.operation === undefined || view.throttled || view.status === 0) return null;
  if (purpose.kind === 'valid' && mark?.role === 'plain') return readPlain(view, mark.group);
  if (purpose.kind !== 'invalid' || !isFieldDefect(purpose.defect)) return null;
  const field = defectiveFieldOf(view, purpose.defect);
  return {
    kind: 'defective',
    group: mark?.group,
    operation: view.operation.id,
    defect: purpose.defect,
    field: field?.name,
    row: field?.row,
    value: bounded(field?.value),
    answer: answerTo(view, field?.name),
    status: view.status,
    reading: view.succeeded ? requestReadingOf(view) : {},
  };
}

/** Fields whose values are compared with those of the request without the defect. */
const COMPARED: readonly string[] = [
  'amount',
  'srcChainId',
  'destChainId',
  'slippage',
  'fromChain',
  'gasless',
  'hasPermit2ApprovalForAllTokens',
  'chainId',
  'data.amount',
  'data.slippage',
  'data.toChain',
];

function readPlain(view: View, group: string): Plain {
  const served = isTaken(view);
  const values = COMPARED.map((name) => [name, bounded(valueIn(view, name))] as const);
  const reading = served ? requestReadingOf(view) : {};
  return { kind: 'plain', group, served, valueOf: new Map(served ? values : []), reading };
}

/** A fact keeps no more of a body than this. */
const MAX_CHARACTERS = 300;
const NO_VALUE: readonly unknown[] = [];

/** By what senses are distinguished: all of a short text, the beginning of a long one, no more of a list. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_CHARACTERS);
  if (Array.isArray(value)) return NO_VALUE;
  return typeof value === 'object' && value !== null ? {} : value;
}

/** Statuses that a gateway answers for a service, which says nothing of the request. */
const UNAVAILABLE: readonly number[] = [503, 504];

function answerTo(view: View, field: string | undefined): Defective['answer'] {
  const { status } = view;
  if (view.succeeded) return isTaken(view) && !isLeastList(view, field) ? 'taken' : 'unclear';
  if (status >= 500) return UNAVAILABLE.includes(status) ? 'unclear' : 'crashed';
  return answerKindOf(view) === 'refused' ? 'refused' : 'unclear';
}

/** A list that shows nothing for what cannot be read, or no more than the least limit. */
function isLeastList(view: View, field: string | undefined): boolean {
  const pools = poolsOf(view.json);
  if (view.operation?.id !== 'zap.pools' || pools === undefined) return false;
  return pools.length <= (field === 'limit' ? 1 : 0);
}

/** What a defect came to beside the request without it. */
export interface Taking {
  readonly sense: Sense;
  /** Where the answer shows another reading than that of the request without the defect. */
  readonly difference: string | undefined;
  /** Whether the same request was served without the defect. */
  readonly isPaired: boolean;
}

/** @param plain the same request without the defect, if it is known */
export function takingOf(
  { row, value, reading }: Defective,
  plain: Plain | undefined,
  field: string,
): Taking {
  const isPaired = plain?.served === true;
  const sense = row === undefined ? 'open' : senseOf(row, value, plain?.valueOf.get(field));
  const difference =
    isPaired && row !== undefined ? differenceOf(row.kind, plain.reading, reading) : undefined;
  return { sense, difference, isPaired };
}

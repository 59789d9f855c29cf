/** The member `generators` of a configuration: requests that are made of choices. */

import type { ApiName } from '../../contracts/wire/exchange.ts';
import { Unwanted } from './config-value.ts';
import { ofOwnCode, OwnCodeFailed } from './own-code.ts';
import { type OwnKind, readOwnItems } from './own-items.ts';
import {
  isAbsentOr,
  isPlainFunction,
  isText,
  type MemberCheck,
  type Members,
  refuseTwice,
} from './own-members.ts';
import { type OwnRequest, readRequest } from './own-request.ts';

/** What may be chosen, by name: the usual choice first, then the others from the simplest on. */
export type OwnChoices = Readonly<Record<string, readonly unknown[]>>;

/** One of each of the choices. */
export type Chosen<Choices extends OwnChoices> = {
  readonly [Name in keyof Choices]: Choices[Name][number];
};

/** A generator as somebody writes it: a request for each combination of choices. */
export interface GeneratorRow<Choices extends OwnChoices = OwnChoices> {
  readonly name: string;
  readonly api: ApiName;
  readonly choices: Choices;
  /** What is asked about, if no document obliges the service to take the requests. */
  readonly probe?: string;
  request(chosen: Chosen<Choices>): OwnRequest;
}

/** A generator as a configuration takes it. */
export interface OwnGenerator<
  Choices extends OwnChoices = OwnChoices,
> extends GeneratorRow<Choices> {
  readonly scope: 'generator';
}

/** A generator of one's own. */
export function generator<const Choices extends OwnChoices>(
  row: GeneratorRow<Choices>,
): OwnGenerator<Choices> {
  return { ...row, scope: 'generator' };
}

const MAX_FIELDS = 50;
const MAX_CHOICES = 10_000;
const GENERATOR: OwnKind = {
  ...{ name: 'generator', key: 'name', example: 'ours.list', most: 100 },
  members: ['scope', 'name', 'api', 'choices', 'probe', 'request'],
};

/**
 * Reads the member `generators`; throws {@link Unwanted}.
 *
 * @param apis those of the service
 */
export function readGenerators(value: unknown, apis: readonly ApiName[]): readonly OwnGenerator[] {
  const generators = readOwnItems(
    value,
    GENERATOR,
    (given) => checksOf(given, apis),
    (checked) => checked as unknown as OwnGenerator,
  );
  refuseTwice(
    'generators',
    generators.map(({ name }) => name),
  );
  for (const one of generators) {
    try {
      ofOwnCode(`the generator ${one.name}`, () => readRequest(one.request(usualOf(one))));
    } catch (error) {
      if (!(error instanceof OwnCodeFailed)) throw error;
      throw new Unwanted('a request for the usual choices', error.message);
    }
  }
  return generators;
}

function checksOf(given: Members, apis: readonly ApiName[]): readonly MemberCheck[] {
  return [
    ['api', apis.some((api) => api === given.api), `one of ${apis.join(', ')}`],
    [
      'choices',
      isChoices(given.choices),
      `at most ${MAX_FIELDS} lists by name, each of 1 to ${MAX_CHOICES} choices, the usual one first`,
    ],
    ['probe', isAbsentOr(isText)(given.probe), 'a text on what is asked about'],
    ['request', isPlainFunction(given.request), 'a function, none that is async'],
  ];
}

function isChoices(value: unknown): value is OwnChoices {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const lists = Object.values(value) as unknown[];
  const areLists = lists.every(
    (list) => Array.isArray(list) && list.length >= 1 && list.length <= MAX_CHOICES,
  );
  return areLists && lists.length <= MAX_FIELDS;
}

/** The first of each of its choices. */
export function usualOf({ choices }: OwnGenerator): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(choices).map(([field, [usual]]) => [field, usual]));
}

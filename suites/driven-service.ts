import type { Profile } from '../contracts/judging/profile.ts';
import type { Rule } from '../contracts/judging/rule.ts';
import type { Service } from '../contracts/service-type.ts';
import type { Contract } from '../contracts/document/schema.ts';
import type { SearchReach } from '../contracts/run/run.ts';
import type { ApiName, Exchange } from '../contracts/wire/exchange.ts';
import type { RequestGenerator } from '../fixtures/arbitraries/request.ts';
import type { Governor } from '../target/budget/governor.ts';
import type { Nodes } from '../target/rpc/nodes.ts';
import type { Client, Credential } from '../target/transport/client.ts';
import type { Random } from './drive/random.ts';
import type { Other, RelatedRules } from './drive/relation.ts';
import type { TriedRequest } from './drive/tried-request.ts';

/** What the hints of a configuration say of a target that does not list it itself. */
export interface KnownChain {
  readonly id: number;
  readonly tokens: readonly string[];
  readonly providers: readonly string[];
}

/** A key by the name of its variable, or none. */
export type KeyedCredential = Extract<Credential, 'none' | { readonly secret: string }>;

/**
 * One drive through a target: what sends, what chooses, and what has been learned.
 *
 * @typeParam World what the service at hand remembers of a target
 */
export interface Session<World = unknown> {
  readonly service: DrivenService<World>;
  readonly client: Client;
  readonly contract: Contract;
  readonly random: Random;
  readonly world: World;
  readonly apis: ReadonlySet<ApiName>;
  /** Where they are; not known when absent. */
  readonly baseUrls?: Readonly<Record<ApiName, string>>;
  /** What requests of keyed APIs authenticate with: the key if the environment holds one. */
  readonly keyedCredential: KeyedCredential;
  /** How far chains, life cycles, and operations beyond the document, are driven. */
  readonly depth: Pick<Profile, 'chainsAsked' | 'lifeCycles' | 'contractDepth'>;
  /**
   * How time passes if something is waited for; nothing is when absent. The governor's, so that no
   * wait goes on beyond the run.
   */
  readonly clock?: Pick<Governor, 'sleep'>;
  /** Nodes that execute what the service builds; none are asked when absent. */
  readonly nodes?: Nodes;
  /** How often a request may still be sent again because of an outage. */
  repetitionsLeft: number;
  /** Groups of related requests begun so far, whoever sends them: each is a group of its own. */
  groupCount: number;
  /** What of the drive is needed; all of it when absent. */
  readonly needed?: NeededParts;
  /** Called when a stage begins or ends. */
  readonly progress: (line: string) => void;
}

/** One part of the drive: an API and what is done with it. */
export interface Stage {
  readonly name: string;
  readonly api: ApiName;
  readonly run: () => Promise<unknown>;
  /** Adds to what verdicts rest on already: a budget that ends here does not cut the drive short. */
  readonly isAdditional?: true;
  /** Ids of all operations that it asks; any of its API, or paths that are none, when absent. */
  readonly asks?: readonly string[];
  /** Whether it marks requests as related; it may when absent. */
  readonly relates?: boolean;
  /** Ids of the rules that it is for alone; for all that speak of what it asks when absent. */
  readonly rules?: ReadonlySet<string>;
  /** Names of stages whose answers it is made from. */
  readonly after?: readonly string[];
  /** Deletes what others ask for, so that all that is to be sent again for it is sent before. */
  readonly deletes?: true;
}

/** Which parts of a drive can show anything to the chosen rules. */
export interface NeededParts {
  /** Of these stages, in their order: those that the rules need, and those that they are made from. */
  readonly stages: (all: readonly Stage[]) => Stage[];
  /** Whether requests to an operation are needed. */
  readonly isAsked: (api: ApiName, operation: string | undefined) => boolean;
  /** Whether it matters what an API answers once its rate limit is reached. */
  readonly isThrottled: (api: ApiName) => boolean;
}

/** A request, and changed ones that its answer is compared with. */
export interface RelatedRequests {
  readonly first: TriedRequest;
  readonly others: readonly Other[];
}

/** Sequences of requests that depend on each other, each longer than the one before it. */
export interface Lives {
  /** The API that the sequence of a number is about. */
  readonly apiOf: (number: number) => ApiName;
  /** Sends the sequence of a number, by a session whose choices are its own, and a seed of its own. */
  readonly run: (number: number, random: Random, seed: number) => Promise<void>;
}

/** What a search counts of a service, besides what it sends and kinds of answers. */
export interface Reaches {
  /** In the order of a report. */
  readonly what: readonly SearchReach['what'][];
  /** Such things in a served exchange, by their names. */
  readonly in: (exchange: Exchange) => readonly (readonly [SearchReach['what'], string])[];
}

/** Fields of requests that make sense only together, by their names, e.g. `body/amount`. */
export interface FieldGroups {
  /** Fields that together say what is asked for: put back to their plain values at once. */
  readonly whole: readonly RegExp[];
  /** Parts of these, each put back at once. */
  readonly parts: readonly RegExp[];
  /** Fields whose values make sense with some of these only. */
  readonly dependent: RegExp;
}

/**
 * What drives a service: what is sent to it, in which order, and what belongs together in it. Its
 * functions are methods, so that engines can hold services with worlds of any type: each is given back
 * only worlds of its own making.
 *
 * @typeParam World what it remembers of a target
 */
export interface Driving<World = unknown> {
  /** APIs that are asked with the key of the environment, if it holds one. */
  readonly keyedApis?: readonly ApiName[];
  /** The variable of the environment that holds it. */
  readonly keyVariable?: string;
  /** What is known of a target at first: what hints say. */
  createWorld(known: readonly KnownChain[]): World;
  /** What is known of a target at the beginning of a further round over it. */
  renewWorld(world: World): World;
  /**
   * All stages, in the order in which verdicts need them: what adds to them comes last.
   *
   * @param unasked is called with operations of a contract that could not be asked
   */
  stagesOf(session: Session<World>, unasked: string[]): readonly Stage[];
  /** Requests of a drive over an API that serves everything, about; for the advice on a budget. */
  readonly usualRequests: number;
  /** Why nothing that matters could be asked for, so that a drive says too little; else undefined. */
  unaskable?(session: Pick<Session<World>, 'apis' | 'world'>): string | undefined;
  /** Values of a parameter that the target stated, by its name without spaces, in lower case. */
  valuesOf?(world: World, name: string): readonly unknown[];
  /** Generators of requests for what the target is known to have. */
  generatorsOf(world: World, contract: Contract): readonly RequestGenerator[];
  /** How many turns a generator has in a round of a search, by its name; one when absent. */
  readonly searchTurns?: Readonly<Record<string, number>>;
  /** All metamorphic relations of the service, by whose rules what they find is shown and shrunk. */
  readonly relations: readonly RelatedRules[];
  /** What a generated request is compared with, by a number that takes turns. */
  relatedTo?(
    session: Session<World>,
    request: TriedRequest,
    number: number,
  ): RelatedRequests | undefined;
  /** Sequences of requests, longer and longer, from what was learned and generated. */
  livesOf?(session: Session<World>, generators: readonly RequestGenerator[]): Lives;
  /** Of each API that may be asked many times at once: requests that are cheap and change nothing. */
  readonly cheapRequests?: Readonly<Partial<Record<ApiName, readonly string[]>>>;
  /** What a search counts of the service. */
  readonly reaches?: Reaches;
  readonly fieldGroups?: FieldGroups;
  /** Whether a request uses up what it asks for, so that it must not be sent again. */
  isSpent?(request: TriedRequest): boolean;
  /** Requests for what a rule over a whole run reads besides those that broke it. */
  readBy?(rule: Rule): readonly TriedRequest[];
}

/** A service that can be driven as well as judged. */
export interface DrivenService<World = unknown> extends Service, Driving<World> {}

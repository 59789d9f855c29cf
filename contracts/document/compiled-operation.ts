import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { answerUrlsOf, requestUrlsOf, type StatedOperation } from './openapi/openapi-operations.ts';
import type { StatedMedia } from './openapi/operation-inputs.ts';
import type { OperationServers } from './paths/operation-servers.ts';
import { placedInputs } from './placed-schema.ts';
import type { Schemas } from './directions/schemas-in-doubt.ts';
import type { Check } from './validation/schema-compiler.ts';
import type { ContractOperation, OperationInputs, SchemaFaults } from './schema.ts';
import { NO_SCHEMA_FAULTS } from './schema.ts';
import type { ApiName } from '../wire/exchange.ts';
import { bestStated, isJsonType, readAs } from './openapi/media-type.ts';

/** What compiles the schemas of requests, or those of answers, and the files that hold them. */
export interface Side {
  readonly compiler: Schemas;
  readonly files: OpenApiDocument['files'];
}

/** What one document states of an operation. */
export interface Layer {
  readonly stated: StatedOperation;
  readonly requests: Side;
  readonly answers: Side;
}

/** An operation whose schemas are compiled when first used. */
export class CompiledOperation implements ContractOperation {
  readonly id: string;
  readonly api: ApiName;
  readonly method: string;
  readonly pathTemplate: string;
  readonly servers: OperationServers;
  /** What is stated of it, the latest first. */
  readonly #layers: readonly Layer[];
  readonly #inputs = new Map<Layer, OperationInputs>();
  readonly #byStatus = new Map<number, readonly Media[]>();

  /** @param replaced what holds for the statuses and the request if the layer is silent */
  constructor(id: string, api: ApiName, layer: Layer, replaced?: CompiledOperation) {
    this.id = id;
    this.api = api;
    this.method = layer.stated.method;
    this.pathTemplate = replaced?.pathTemplate ?? layer.stated.pathTemplate;
    this.servers = replaced?.servers ?? layer.stated.servers;
    this.#layers = [layer, ...(replaced === undefined ? [] : replaced.#layers)];
  }

  statesBody(status: number): boolean {
    return this.#mediaAt(status).some((media) => media.some(({ schema }) => schema !== undefined));
  }

  statesBodyAs(status: number, contentType: string | undefined): boolean {
    return schemaFor(this.#mediaAt(status), contentType) !== undefined;
  }

  statesOctetsAs(status: number, contentType: string | undefined): boolean {
    const stated = this.#mediaAt(status).find((media) => media.length > 0) ?? [];
    return readAs(stated, contentType)?.isRaw === true;
  }

  mediaTypesOf(status: number): readonly string[] | undefined {
    return firstOf(this.#layers, ({ stated: { responses } }) =>
      firstOf([...keysOf(status), 'DEFAULT'], (key) => responses.get(key)),
    )?.map(({ type }) => type);
  }

  namesStatus(status: number): boolean {
    return this.#layers.some(({ stated: { responses } }) =>
      keysOf(status).some((key) => responses.has(key)),
    );
  }

  get requiresHeaders(): boolean {
    return this.#layers.some(({ stated }) => stated.requiredHeaders.size > 0);
  }

  requiredHeadersOf(status: number): readonly string[] {
    const states = ({ stated: { responses } }: Layer): string | undefined =>
      keysOf(status).find((key) => responses.has(key));
    const layer = this.#layers.find((one) => states(one) !== undefined);
    return layer?.stated.requiredHeaders.get(states(layer) ?? '') ?? [];
  }

  get inputs(): OperationInputs {
    return this.#inputsOf(this.#layers[0]);
  }

  get firstInputs(): OperationInputs {
    return this.#inputsOf(this.#layers.at(-1));
  }

  faultsOf(status: number, json: unknown, contentType?: string, text?: string): SchemaFaults {
    const check = schemaFor(this.#mediaAt(status), contentType);
    return check === undefined ? NO_SCHEMA_FAULTS : check(json, text);
  }

  requestFaultsOf(json: unknown, contentType?: string): SchemaFaults {
    const media = this.#layers.map(({ stated: { request }, requests: { compiler } }) =>
      request.map((one) => ({ ...one, compiler })),
    );
    const check = schemaFor(media, contentType);
    return check === undefined ? NO_SCHEMA_FAULTS : check(json);
  }

  /**
   * Compiles all schemas at once, so that a broken one is found at the start.
   * @throws ContractError when one does not compile
   */
  compileAll(): void {
    for (const { stated, requests, answers } of this.#layers) {
      for (const url of requestUrlsOf(stated)) requests.compiler.compile(url);
      for (const url of answerUrlsOf(stated)) answers.compiler.compile(url);
      requests.compiler.compileReferred();
      answers.compiler.compileReferred();
    }
  }

  #inputsOf(layer: Layer | undefined): OperationInputs {
    if (layer === undefined) return { parameters: [], body: undefined };
    let inputs = this.#inputs.get(layer);
    if (inputs === undefined) {
      inputs = placedInputs(layer.requests.compiler, layer.requests.files, layer.stated.inputs);
      this.#inputs.set(layer, inputs);
    }
    return inputs;
  }

  /** OpenAPI 3.1, section 4.8.16: the exact status, then its class, then `default`; of each layer. */
  #mediaAt(status: number): readonly Media[] {
    if (status < 100) return [];
    let media = this.#byStatus.get(status);
    if (media === undefined) {
      const keys = [...keysOf(status), 'DEFAULT'];
      media = this.#layers.map(({ stated: { responses }, answers: { compiler } }) => {
        const stated = firstOf(keys, (key) => responses.get(key)) ?? [];
        return stated.map((one) => ({ ...one, compiler }));
      });
      this.#byStatus.set(status, media);
    }
    return media;
  }
}

/** What one document states of a body, by its media types. */
type Media = readonly (StatedMedia & { readonly compiler: Schemas })[];

/** The schema of a body of a media type: of the latest document that states that type, if any does. */
function schemaFor(layers: readonly Media[], contentType: string | undefined): Check | undefined {
  const named = (media: Media): Media[number] | undefined =>
    contentType === undefined ? undefined : bestStated(media, contentType);
  const first = firstOf(layers, named);
  // What is stated to be no JSON is not, even if it reads as such.
  if (first !== undefined && ![contentType ?? '', first.type].some(isJsonType)) return undefined;
  const checkBy = (one: Media[number] | undefined): Check | undefined =>
    one?.schema === undefined ? undefined : one.compiler.compile(one.schema);
  return (
    firstOf(layers, (media) => checkBy(named(media))) ??
    firstOf(layers, (media) => checkBy(readAs(media, contentType)))
  );
}

/** The exact status and its class, as documents write them. */
function keysOf(status: number): string[] {
  return [String(status), `${Math.floor(status / 100)}XX`];
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = read(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Documents as large as public ones, made when they are needed. */

/** How large a document is. */
export interface Size {
  readonly operations: number;
  /** Schemas of each answer, all of them written where they are used. */
  readonly schemas: number;
}

/** A document of operations that each have their schemas to themselves. */
export function largeDocument({ operations, schemas }: Size): object {
  const all = Array.from({ length: operations }, (_, index) => [
    `/owners/{owner}/things-${index}`,
    { get: operation(index, schemas) },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'A large service', version: '1' },
    paths: Object.fromEntries(all) as object,
  };
}

const STATES = ['open', 'closed', null];
/** Schemas of one group. */
const GROUP = 5;

function operation(index: number, schemas: number): object {
  const groups = Array.from({ length: Math.ceil(schemas / GROUP) }, (_, group) => [
    `group_${group}`,
    {
      type: 'object',
      description: `What the service keeps of group ${group} of the things ${index}.`,
      properties: {
        id: { type: 'integer', examples: [group] },
        name: { type: 'string', description: 'The name that people see.' },
        url: { type: 'string', format: 'uri' },
        state: { type: ['string', 'null'], enum: STATES },
      },
    },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(groups) as object };
  return {
    operationId: `things/get-${index}`,
    parameters: [
      { name: 'owner', in: 'path', required: true, schema: { type: 'string', enum: ['me'] } },
    ],
    responses: { 200: { description: 'A thing.', content: { 'application/json': { schema } } } },
  };
}

/**
 * A document of models that each inherit from another one and have members that only answers have, in the
 * style of OData: 1,200 models and 1,000 operations with their requests and answers are some 4 MiB of YAML.
 */
export function modelsDocument({ models, operations }: ModelsSize): object {
  const refTo = (at: number): object => ({ $ref: `#/components/schemas/model-${at % models}` });
  const all = Array.from({ length: models }, (_, at) => [
    `model-${at}`,
    {
      allOf: [
        at < 10 ? { $ref: '#/components/schemas/entity' } : refTo(at % 10),
        modelOf(at, refTo),
      ],
    },
  ]);
  const entity = {
    type: 'object',
    required: ['id', '@odata.type'],
    properties: { id: { type: 'string', readOnly: true }, '@odata.type': { type: 'string' } },
  };
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const paths = Array.from({ length: operations }, (_, at) => [
    `/things-${at}/{id}`,
    {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: `things.get-${at}`,
        description: DESCRIPTION,
        responses: { '2XX': { description: 'A thing.', ...json(refTo(at)) } },
      },
      patch: {
        operationId: `things.change-${at}`,
        description: DESCRIPTION,
        requestBody: json(refTo(at)),
        responses: { '2XX': { description: 'The thing.', ...json(refTo(at)) } },
      },
    },
  ]);
  return {
    openapi: '3.0.4',
    info: { title: 'Many models', version: '1' },
    paths: Object.fromEntries(paths) as object,
    components: { schemas: { entity, ...(Object.fromEntries(all) as object) } },
  };
}

/** How large such a document is. */
export interface ModelsSize {
  readonly models: number;
  readonly operations: number;
}

const DESCRIPTION = 'Reads or changes one of the things, with all that belongs to it. '.repeat(2);

function modelOf(at: number, refTo: (at: number) => object): object {
  const texts = Array.from({ length: 12 }, (_, index) => [
    `text${index}`,
    {
      type: 'string',
      nullable: true,
      description: `What the service keeps as text ${index} of model ${at}, for whoever asks.`,
      ...(index % 3 === 0 ? { readOnly: true } : {}),
    },
  ]);
  const others = Array.from({ length: 4 }, (_, index) => [
    `other${index}`,
    index % 2 === 0
      ? { anyOf: [refTo(at * 7 + index), { type: 'object', nullable: true }] }
      : { type: 'array', items: refTo(at * 5 + index) },
  ]);
  return {
    type: 'object',
    title: `model ${at}`,
    required: ['text0', 'text1'],
    properties: Object.fromEntries([...texts, ...others]) as object,
  };
}

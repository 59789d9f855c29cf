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

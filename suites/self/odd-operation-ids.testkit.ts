import type { Hono } from 'hono';
import { Hono as App } from 'hono';

/** Operation ids as documents write them, each with a path of its own. */
const IDS: readonly (string | undefined)[] = [
  ...['getTokenList', 'list_books', 'books.v1.find', 'Books-2', 'list all books', 'books/find'],
  ...['größe', '本の一覧', 'x'.repeat(300), '__proto__', 'constructor', 'toString', 'shops.take'],
  ...['Same', 'Same', 'same', '{id}', 'a..b.', '$&', "it's", '<b>&amp;', '|', '*', undefined],
];

/** The path of an operation; each third has a place. */
function pathOf(index: number): string {
  return index % 3 === 0 ? `/v${index}/{id}` : `/v${index}`;
}

const ANSWER = {
  description: 'All is well.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' } },
      },
    },
  },
};

/** A document of a service with ids of all forms. */
export const ODD_DOCUMENT: object = {
  openapi: '3.1.0',
  info: { title: 'Odd', version: '1' },
  paths: Object.fromEntries(
    IDS.map((operationId, index) => [
      pathOf(index),
      {
        get: {
          ...(operationId === undefined ? {} : { operationId }),
          ...(index % 3 === 0
            ? {
                parameters: [
                  {
                    name: 'id',
                    in: 'path',
                    required: true,
                    schema: { type: 'string', enum: ['a'] },
                  },
                ],
              }
            : {}),
          responses: { 200: ANSWER },
        },
      },
    ]),
  ),
};

/** How many operations it has. */
export const ODD_OPERATIONS: number = IDS.length;

/** The service: every answer is right, or none. */
export function oddService(isRight: boolean): Hono['fetch'] {
  const app = new App();
  for (const index of IDS.keys()) {
    app.get(pathOf(index).replace('{id}', ':id'), (context) =>
      context.json({ name: isRight ? 'a book' : index }),
    );
  }
  return app.fetch;
}

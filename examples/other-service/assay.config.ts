// A service that has nothing to do with the one that Assay was made for.
import { defineConfig, exchangeRule, generator, relation } from 'assay';

interface Book {
  readonly id: string;
  readonly title: string;
  readonly shelf: string;
}

const booksIn = (json: unknown): Book[] => (Array.isArray(json) ? (json as Book[]) : []);

/** What every rule on the list has in common. */
const ofTheList = { api: 'books', operations: ['books.list'], leastEvidence: 1 } as const;

const queryOf = (path: string): URLSearchParams => new URLSearchParams(path.split('?')[1]);

export default defineConfig({
  service: {
    name: 'library',
    apis: {
      books: {
        document: 'library.openapi.yaml',
        url: 'http://127.0.0.1:4600',
        limits: {
          request: 'GET /books?most=1',
          otherRoute: 'GET /books/book-1',
          refused: 'GET /books?most=0',
        },
      },
    },
  },
  rules: [
    exchangeRule({
      ...{ ...ofTheList, id: 'books.list.within-most', level: 'must', answer: 'success' },
      source: 'library.openapi.yaml, most',
      protects: 'A list has no more books than were asked for.',
      judge: ({ json, exchange }) => {
        const most = Number(queryOf(exchange.request.path).get('most') ?? 10);
        const { length } = booksIn(json);
        if (length <= most) return [];
        return [{ pointer: '', expected: `at most ${most} books`, actual: `${length} books` }];
      },
    }),
    exchangeRule({
      ...{ ...ofTheList, id: 'books.list.of-the-shelf', level: 'must', answer: 'success' },
      source: 'library.openapi.yaml, shelf',
      protects: 'A list of a shelf has books of no other.',
      judge: ({ json, exchange }) => {
        const shelf = queryOf(exchange.request.path).get('shelf');
        if (shelf === null) return null;
        return booksIn(json).flatMap((book, at) =>
          book.shelf === shelf
            ? []
            : [{ pointer: `/${at}/shelf`, expected: shelf, actual: book.shelf }],
        );
      },
    }),
    exchangeRule({
      ...{ id: 'books.refusals.say-why', level: 'should', answer: 'error', leastEvidence: 1 },
      ...{ api: 'books', operations: '*' },
      source: 'our own',
      protects: 'Who is refused gets the reason in words.',
      judge: ({ json }) => {
        const reason = (json as { reason?: unknown } | undefined)?.reason;
        const isExplained = typeof reason === 'string' && reason.includes(' ');
        return isExplained ? [] : [{ pointer: '', expected: 'a reason in words', actual: 'none' }];
      },
    }),
  ],
  relations: [
    relation<string[]>({
      ...{ id: 'books.list.fewer-in-the-same-order', level: 'must', api: 'books' },
      operations: ['books.list'],
      source: 'library.openapi.yaml, alphabetical order',
      protects: 'A shorter list is the beginning of a longer one.',
      change: ({ path }) => {
        const query = queryOf(path);
        const most = Number(query.get('most') ?? 10);
        if (most < 2) return undefined;
        query.set('most', String(most - 1));
        return { path: `/books?${query}` };
      },
      digest: ({ json }) => booksIn(json).map(({ title }) => title),
      compare: (longer, shorter) =>
        shorter.every((title, at) => longer[at] === title)
          ? []
          : [{ pointer: '', expected: longer.join(), actual: shorter.join() }],
    }),
  ],
  generators: [
    generator({
      name: 'books.list',
      api: 'books',
      choices: {
        most: [10, 1, 2, 3, 4, 5, 50],
        shelf: [undefined, 'fiction', 'science', 'travel'],
      },
      request: ({ most, shelf }) => ({
        path: `/books?most=${most}${shelf === undefined ? '' : `&shelf=${shelf}`}`,
      }),
    }),
  ],
});

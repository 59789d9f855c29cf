/** The largest `limit` of runs. */
export const MOST = 40;
/** The longest name of a tool. */
export const LONGEST = 60;

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const list = { type: 'array', items: { $ref: '#/components/schemas/Run' } };
const error = { description: 'An error.', ...json({ type: 'object', required: ['detail'] }) };
const runId = {
  name: 'runId',
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 4 },
};

/** The contract of a small AI runtime: runs that are listed, shown, started with steps, and dropped. */
export const RUNS_CONTRACT: {
  readonly paths: object;
  readonly components: object;
  readonly [member: string]: unknown;
} = {
  openapi: '3.1.0',
  info: { title: 'Runs', version: '1' },
  paths: {
    '/runs': {
      get: {
        operationId: 'runs',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MOST } },
          { name: 'state', in: 'query', schema: { enum: ['open', 'done'] } },
        ],
        responses: { 200: { description: 'Runs.', ...json(list) }, 422: error },
      },
      post: {
        operationId: 'start',
        requestBody: json({ $ref: '#/components/schemas/Step' }),
        responses: {
          201: { description: 'Started.', ...json({ $ref: '#/components/schemas/Run' }) },
          422: error,
        },
      },
    },
    '/runs/{runId}': {
      parameters: [runId],
      get: {
        operationId: 'run',
        responses: {
          200: { description: 'A run.', ...json({ $ref: '#/components/schemas/Run' }) },
          404: error,
        },
      },
      delete: { operationId: 'drop', responses: { 204: { description: 'Gone.' }, 404: error } },
    },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        required: ['id', 'state'],
        properties: { id: { type: 'string' }, state: { enum: ['open', 'done'] } },
      },
      Step: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: { type: 'string', minLength: 1, maxLength: LONGEST },
          then: { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/Step' } },
        },
        additionalProperties: false,
      },
    },
  },
};

/** What the runtime gets wrong, if anything. */
export type Defect =
  | 'none'
  | 'numeric ids at the maximum'
  | 'a state that is not stated, of done runs'
  | 'fails on steps in steps'
  | 'errors of another shape'
  | 'says 200 if it starts';

interface Step {
  readonly tool: string;
  readonly then?: readonly Step[];
}

/** The runtime, as a function; it keeps nothing. */
export function runsRuntime(defect: Defect): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = request.method === 'POST' ? await request.text() : '';
    const [status, answer] = answerOf(defect, request.method, new URL(request.url), body);
    return answer === undefined
      ? new Response(null, { status })
      : Response.json(answer, { status });
  };
}

function answerOf(
  defect: Defect,
  method: string,
  { pathname, searchParams }: URL,
  body: string,
): readonly [number, unknown] {
  const failed =
    defect === 'errors of another shape'
      ? { error: 'no' }
      : { detail: 'no', code: 'NO', message: 'no', requestId: 'r', status: 404 };
  if (pathname === '/runs' && method === 'GET') {
    const limit = Number(searchParams.get('limit') ?? 1);
    const state = searchParams.get('state') ?? 'open';
    const odd = defect === 'a state that is not stated, of done runs' && state === 'done';
    const id = defect === 'numeric ids at the maximum' && limit === MOST ? 1 : 'run-1';
    return [200, [{ id, state: odd ? 'finished' : state }]];
  }
  if (pathname === '/runs' && method === 'POST') {
    // The contract asks for no body.
    const step = body === '' ? undefined : (JSON.parse(body) as Step);
    if (defect === 'fails on steps in steps' && (step?.then ?? []).length > 0) return [500, failed];
    return [defect === 'says 200 if it starts' ? 200 : 201, { id: 'run-2', state: 'open' }];
  }
  if (pathname === '/runs/run-1' || pathname === '/runs/run-2') {
    return method === 'DELETE' ? [204, undefined] : [200, { id: 'run-1', state: 'open' }];
  }
  return [404, failed];
}

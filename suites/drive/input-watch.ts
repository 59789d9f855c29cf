import { View } from '../../contracts/view.ts';
import type { AcceptedInput } from '../../contracts/rules/accepted-input.ts';
import { ACCEPTED_INPUTS } from '../../contracts/rules/accepted-inputs.ts';
import { answerKindOf } from '../../contracts/rules/answer-kind.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Session } from './session.ts';

/** A request as it was recorded; its answer, which may be large, is let go. */
export type AskedRequest = Pick<Exchange, 'api' | 'purpose' | 'request'>;

/** Of which documented inputs a run has seen that they are taken, and which requests failed. */
export interface InputWatch {
  /** Whether a request with this input of the operation was served. */
  readonly isServed: (row: AcceptedInput, operation: string, input: string) => boolean;
  /** Valid requests that met an error of the service and were never served, the first of each. */
  readonly failed: (api: ApiName) => readonly AskedRequest[];
  /** A request of the operation that was served. */
  readonly servedBy: (operation: string | undefined) => AskedRequest | undefined;
}

/** Watches all exchanges of a session from now on. */
export function watchInputs({ client, contract }: Session): InputWatch {
  const taken = new Set<string>();
  const failed = new Map<string, AskedRequest>();
  const servedBy = new Map<string, AskedRequest>();
  client.listen((exchange) => {
    const { api, request, purpose, outcome } = exchange;
    const operation = contract.find(api, request.method, request.path)?.id;
    if (operation === undefined || outcome.kind === 'failure' || purpose.kind === 'invalid') return;
    const { status } = outcome.response;
    const asked: AskedRequest = { api, purpose, request };
    const key = `${request.path} ${request.body?.text ?? ''}`;
    if (status >= 200 && status < 300) {
      const inputs = {
        query: new URLSearchParams(request.path.split('?')[1] ?? ''),
        requestJson: bodyOf(exchange),
        headers: request.headers,
      };
      for (const row of ACCEPTED_INPUTS) {
        if (!row.operations.includes(operation)) continue;
        const input = row.inputOf(inputs);
        if (input !== null) taken.add(`${row.id} ${operation} ${input}`);
      }
      if (purpose.kind === 'valid') servedBy.set(operation, asked);
      failed.delete(key);
    } else if (status === 500 && !failed.has(key)) {
      if (answerKindOf(new View(exchange, undefined)) === 'failed') failed.set(key, asked);
    }
  });
  return {
    isServed: ({ id }, operation, input) => taken.has(`${id} ${operation} ${input}`),
    failed: (of) => [...failed.values()].filter(({ api }) => api === of),
    servedBy: (operation) => servedBy.get(operation ?? ''),
  };
}

/** The parsed body of a request; undefined when it has none that is JSON. */
export function bodyOf({ request }: Pick<Exchange, 'request'>): unknown {
  return jsonOrUndefined(request.body?.text ?? '');
}

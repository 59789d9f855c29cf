import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Session } from '../driven-service.ts';
import { successJson } from './session.ts';

/** A request as far as it shows which inputs it has. */
export interface AskedInputs {
  readonly query: URLSearchParams;
  /** The parsed body; undefined when it is none. */
  readonly requestJson: unknown;
  readonly headers: HeaderList;
}

/** A documented input, as far as requests show that they have it. */
export interface WatchedInput {
  readonly id: string;
  readonly operations: readonly string[];
  /** Which form of it a request has; null for none. */
  readonly formOf: (asked: AskedInputs) => string | null;
}

/** Of which documented inputs a run has seen that they are taken. */
export interface InputWatch {
  /** Whether a request with this form of an input was served by the operation. */
  readonly isServed: (row: Pick<WatchedInput, 'id'>, operation: string, form: string) => boolean;
}

/** Watches all exchanges of a session from now on. */
export function watchInputs(
  { client, contract }: Pick<Session, 'client' | 'contract'>,
  watched: readonly WatchedInput[],
): InputWatch {
  const taken = new Set<string>();
  client.listen((exchange) => {
    const { api, request, purpose } = exchange;
    const operation = contract.find(api, request.method, request.path)?.id;
    if (operation === undefined || purpose.kind === 'invalid') return;
    if (successJson(exchange) === undefined) return;
    const inputs = {
      query: new URLSearchParams(request.path.split('?')[1] ?? ''),
      requestJson: jsonOrUndefined(request.body?.text ?? ''),
      headers: request.headers,
    };
    for (const row of watched) {
      if (!row.operations.includes(operation)) continue;
      const form = row.formOf(inputs);
      if (form !== null) taken.add(`${row.id} ${operation} ${form}`);
    }
  });
  return {
    isServed: ({ id }, operation, form) => taken.has(`${id} ${operation} ${form}`),
  };
}

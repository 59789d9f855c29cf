import type { AcceptedInput } from '../../contracts/service/rules/inputs/accepted-input.ts';
import { ACCEPTED_INPUTS } from '../../contracts/service/rules/inputs/accepted-inputs.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Session } from './session.ts';
import { successJson } from './session.ts';

/** Of which documented inputs a run has seen that they are taken. */
export interface InputWatch {
  /** Whether a request with this input of the operation was served. */
  readonly isServed: (row: AcceptedInput, operation: string, input: string) => boolean;
}

/** Watches all exchanges of a session from now on. */
export function watchInputs({ client, contract }: Session): InputWatch {
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
    for (const row of ACCEPTED_INPUTS) {
      if (!row.operations.includes(operation)) continue;
      const input = row.inputOf(inputs);
      if (input !== null) taken.add(`${row.id} ${operation} ${input}`);
    }
  });
  return {
    isServed: ({ id }, operation, input) => taken.has(`${id} ${operation} ${input}`),
  };
}

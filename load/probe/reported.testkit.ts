import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import type { ErrorReading } from '../../contracts/wire/error-reading.ts';
import { reportedOf, type Reported } from './sender.ts';
import { rejectionReading } from './rejections.ts';

/** When the first request of a test is sent, ms since the epoch. */
export const EPOCH_MS: number = Date.UTC(2026, 0, 1);

/** What is reported of a plain request: answered so, `atMs` after the first. */
export function reported(
  status: number,
  atMs = 0,
  changes: {
    headers?: HeaderList;
    body?: object;
    /** In place of a body in JSON. */
    text?: string;
    path?: string;
    tripMs?: number;
    errors?: ErrorReading;
  } = {},
): Reported {
  const { headers = [], body = {}, tripMs = 10, errors = TYPED_ERRORS } = changes;
  const { text = JSON.stringify(body), path = '/' } = changes;
  return reportedOf(
    {
      id: 'x00001',
      api: 'zap',
      purpose: { kind: 'unknown' },
      relations: [],
      request: { method: 'GET', url: `http://zap.test/v1${path}`, path, headers: [], body: null },
      outcome: {
        kind: 'response',
        response: { status, headers, body: { encoding: 'utf8', text } },
      },
      sentAtMs: EPOCH_MS + atMs,
      latencyMs: tripMs,
    },
    900,
    rejectionReading(errors),
  );
}

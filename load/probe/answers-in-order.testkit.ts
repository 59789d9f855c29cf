import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import type { Ask } from './bucket.ts';
import { reportedOf, type Sender } from './sender.ts';
import { rejectionReading } from './rejections.ts';

/** Answers in their order, with how many requests their headers say are left. */
export function senderOf(
  answers: readonly (readonly [status: number, left?: number, data?: object])[],
): {
  readonly sender: Sender;
  readonly asked: Ask[];
} {
  const asked: Ask[] = [];
  const sender: Sender = (ask) => {
    const [status, left, data] = answers[asked.length] ?? [500];
    asked.push(ask);
    const headers = left === undefined ? [] : [['RateLimit', `"a";r=${left}`] as const];
    const request = { method: 'POST', url: 'http://a.test/', path: '/', headers: [], body: null };
    return Promise.resolve(
      reportedOf(
        {
          ...{ id: 'x1', api: 'trade', purpose: { kind: 'unknown' }, relations: [], request },
          outcome: {
            kind: 'response',
            response: {
              status,
              headers,
              body: { encoding: 'utf8', text: JSON.stringify({ data }) },
            },
          },
          sentAtMs: asked.length,
          latencyMs: 1,
        },
        900,
        rejectionReading(TYPED_ERRORS),
      ),
    );
  };
  return { sender, asked };
}

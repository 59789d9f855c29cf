import { gunzipSync } from 'node:zlib';
import type { Body, Exchange } from '../../contracts/wire/exchange.ts';
import type { PageData } from './html-data.ts';
import { PLACES } from './html.ts';

/** A page with the places that a report fills in, and a script that would be the page's own. */
export function template(): string {
  return `<!doctype html><title>${PLACES.title}</title><div id="app">${PLACES.words}</div><script type="text/plain" id="data">${PLACES.data}</script><script>void 0;</script>`;
}

/** The data that a page holds. */
export function dataOf(html: string): PageData {
  const text = /<script type="text\/plain" id="data">([^<]*)</.exec(html)?.[1] ?? '';
  return JSON.parse(gunzipSync(Buffer.from(text.trim(), 'base64')).toString('utf8')) as PageData;
}

/** An exchange with this answer. */
export function exchangeWith(id: string, body: Body | string): Exchange {
  return {
    id,
    api: 'zap',
    purpose: { kind: 'valid' },
    relations: [],
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4001/v1/quote',
      path: '/v1/quote',
      headers: [['Accept', 'application/json']],
      body: { encoding: 'utf8', text: '{"slippage":1}' },
    },
    outcome: {
      kind: 'response',
      response: {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: typeof body === 'string' ? { encoding: 'utf8', text: body } : body,
      },
    },
    sentAtMs: 0,
    latencyMs: 12.5,
  };
}

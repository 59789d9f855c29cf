import type { ArtifactContent, Result } from 'sarif';
import type { Body, Exchange, HeaderList } from '../../contracts/wire/exchange.ts';

/** Larger bodies are in the record alone. */
const MAX_BODY_CHARACTERS = 50_000;

/** The request and the answer of an exchange as SARIF has them; nothing if there is no room left. */
export function webPartsOf(
  exchange: Exchange | undefined,
  room: { left: number },
): Pick<Result, 'webRequest' | 'webResponse'> {
  if (exchange === undefined) return {};
  const { request, outcome } = exchange;
  const parts: Pick<Result, 'webRequest' | 'webResponse'> = {
    webRequest: {
      method: request.method,
      target: request.url,
      headers: headersOf(request.headers),
      ...(request.body === null ? {} : bodyOf(request.body)),
    },
    webResponse:
      outcome.kind === 'failure'
        ? { noResponseReceived: true }
        : {
            statusCode: outcome.response.status,
            headers: headersOf(outcome.response.headers),
            ...bodyOf(outcome.response.body),
          },
  };
  const characters = JSON.stringify(parts).length;
  if (characters > room.left) return {};
  room.left -= characters;
  return parts;
}

/** Repeated fields as one, by RFC 9110 section 5.3. */
function headersOf(list: HeaderList): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of list) {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function bodyOf({ encoding, text }: Body): { readonly body?: ArtifactContent } {
  if (text.length > MAX_BODY_CHARACTERS) return {};
  return { body: encoding === 'base64' ? { binary: text } : { text } };
}

/** One exchange: what was sent and what came back. */

import type { VNode } from 'preact';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import type { PageExchange } from '../html/html-data.ts';
import { Fold } from './fold.tsx';
import { BodyView } from './body.tsx';

interface ExchangeProps {
  readonly exchange: PageExchange;
  /** What the finding speaks of in the response. */
  readonly pointer: string;
  readonly isOpen: boolean;
}

/** An exchange that can be opened. */
export function ExchangeView({ exchange, pointer, isOpen }: ExchangeProps): VNode {
  const { id, request, outcome, latencyMs, purpose } = exchange;
  return (
    <Fold
      class="exchange"
      isOpen={isOpen}
      prints={isOpen}
      summary={
        <>
          <span class="id">{id}</span>{' '}
          <code class="route">
            {request.method} {beginning(request.path)}
          </code>{' '}
          <span class="answer">
            {outcome.kind === 'response' ? outcome.status : outcome.failure}
          </span>{' '}
          <span class="dim">
            {milliseconds(latencyMs)}
            {purpose === '' ? '' : `, ${purpose}`}
          </span>
        </>
      }
    >
      {() => (
        <div class="messages">
          <div>
            <h3>Request</h3>
            <p class="url">
              <code>
                {request.method} {request.url}
              </code>
            </p>
            <Headers of={request.headers} />
            {request.body === null ? <p class="dim">no body</p> : <BodyView body={request.body} />}
          </div>
          <div>
            <h3>Response</h3>
            {outcome.kind === 'response' ? (
              <>
                <p class="url">
                  <code>{outcome.status}</code>
                </p>
                <Headers of={outcome.headers} />
                <BodyView body={outcome.body} pointer={pointer} />
              </>
            ) : (
              <p>
                None ({outcome.failure}): {outcome.message}
              </p>
            )}
          </div>
        </div>
      )}
    </Fold>
  );
}

const MAX_PATH_CHARACTERS = 120;

function beginning(path: string): string {
  return path.length <= MAX_PATH_CHARACTERS ? path : `${path.slice(0, MAX_PATH_CHARACTERS)}…`;
}

function Headers({ of: headers }: { readonly of: HeaderList }): VNode | null {
  if (headers.length === 0) return null;
  return (
    <Fold
      class="headers"
      summary={`${headers.length} header ${headers.length === 1 ? 'field' : 'fields'}`}
    >
      {() => (
        <pre class="body">
          {headers.map(([name, value], at) => (
            <span key={at}>
              <span class="key">{name}</span>: {value}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </Fold>
  );
}

/** `3.2 ms`, `1,204 ms`. */
function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : grouped(Math.round(value))} ms`;
}

/** `12,000`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

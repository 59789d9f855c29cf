import { createHash } from 'node:crypto';
import { membersIn } from './answer-members.ts';
import type { Contract } from '../document/schema.ts';
import { View } from '../judging/view.ts';
import type { ApiName, Exchange, Purpose } from '../wire/exchange.ts';

/** What a client sees of an answer besides the values in it. */
export interface AnswerForm {
  /** The status and, of an error, its code: `404 NO_ROUTE_FOUND`. */
  readonly answer: string;
  /**
   * Types by place: fields as JSON pointers, header fields as `#name`, for which the type is `present` or,
   * of `Content-Type`, the media type.
   */
  readonly facts: ReadonlyMap<string, string>;
}

/** A request, however often it was sent, and how it was answered. */
export interface Question {
  readonly operation: string;
  readonly purpose: Purpose['kind'];
  /** Whether it has neither a query nor a body, so that no data of ours decides the answer. */
  readonly isPlain: boolean;
  /** Different ones, in the order in which they were seen; at most {@link MAX_FORMS_OF_ONE}. */
  readonly forms: readonly AnswerForm[];
}

/** How the requests of a run were answered. */
export interface Answers {
  /** By a digest of the request. */
  readonly questions: ReadonlyMap<string, Question>;
  /** Answers to requests beyond those that are held. */
  readonly unread: number;
}

/** More requests of one run are not held. */
const MAX_QUESTIONS = 50_000;
const MAX_FORMS = 5_000;
/** Of all forms together. */
const MAX_FACTS = 200_000;
const MAX_FORMS_OF_ONE = 8;
/** Of a name or a value of a header field. */
const MAX_CHARACTERS = 200;
const MAX_HEADERS = 100;

/** Fields of a request that say nothing about what is asked. */
const UNASKED: ReadonlySet<string> = new Set([
  'user-agent',
  'host',
  'content-length',
  'connection',
]);

/**
 * Of an answer: framing (RFC 9110, RFC 9112), clocks, caches and proxies on the way. They come and go
 * with connections and machines, and no client relies on them.
 */
const UNREPORTED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'trailer', 'te'],
  ...['date', 'age', 'via', 'server', 'etag', 'last-modified', 'expires', 'set-cookie'],
  ...['x-cache', 'x-cache-hits', 'x-served-by', 'x-timer', 'cf-ray', 'cf-cache-status', 'alt-svc'],
  ...['server-timing', 'x-response-time', 'x-runtime', 'nel', 'report-to', 'content-encoding'],
]);

/** What of answers is gathered. */
interface AnswerFormsOptions {
  readonly mostFacts?: number;
  readonly saysNothing?: (said: {
    readonly api: ApiName;
    readonly operation: string | undefined;
    readonly status: number;
  }) => boolean;
}

/**
 * Gathers how requests were answered, so that two runs can be compared with each other request by request.
 * Throttled answers and requests without one are left out: they say nothing of the service.
 */
export class AnswerForms implements Answers {
  readonly questions: Map<string, Question> = new Map<string, Question>();
  unread = 0;
  readonly #contract: Pick<Contract, 'find' | 'errors'>;
  readonly #forms = new Map<string, AnswerForm>();
  #facts = 0;

  readonly #mostFacts: number;
  readonly #saysNothing: NonNullable<AnswerFormsOptions['saysNothing']>;

  /**
   * @param contract names the operations
   * @param options.mostFacts of all different answers together; answers beyond are counted
   * @param options.saysNothing whether answers of an operation with a status are left out
   */
  constructor(
    contract: Pick<Contract, 'find' | 'errors'>,
    { mostFacts = MAX_FACTS, saysNothing = () => false }: AnswerFormsOptions = {},
  ) {
    this.#contract = contract;
    this.#mostFacts = mostFacts;
    this.#saysNothing = saysNothing;
  }

  /** Notes one answer. */
  add(exchange: Exchange): void {
    const { api, request, purpose } = exchange;
    const view = new View(exchange, this.#contract);
    const { operation } = view;
    const { status } = view;
    if (status === 0 || view.throttled) return;
    if (this.#saysNothing({ api, operation: operation?.id, status })) return;
    const key = keyOf(exchange);
    const known = this.questions.get(key);
    if (known === undefined && this.questions.size >= MAX_QUESTIONS) {
      this.unread += 1;
      return;
    }
    const form = this.#interned(formOf(view));
    if (form === undefined) {
      this.unread += 1;
      return;
    }
    if (known === undefined) {
      const [path = ''] = request.path.slice(0, MAX_CHARACTERS).split('?', 1);
      this.questions.set(key, {
        operation: operation?.id ?? `${request.method.slice(0, 20)} ${api} ${path}`,
        purpose: purpose.kind,
        isPlain: request.body === null && !request.path.includes('?'),
        forms: [form],
      });
    } else if (known.forms.length < MAX_FORMS_OF_ONE && !known.forms.includes(form)) {
      this.questions.set(key, { ...known, forms: [...known.forms, form] });
    }
  }

  /** Most answers have one of few forms: each is held once. */
  #interned(form: AnswerForm): AnswerForm | undefined {
    const text = JSON.stringify([form.answer, [...form.facts]]);
    const digest = createHash('sha256').update(text).digest('base64');
    const known = this.#forms.get(digest);
    if (known !== undefined) return known;
    if (this.#forms.size >= MAX_FORMS || this.#facts >= this.#mostFacts) return undefined;
    this.#facts += form.facts.size;
    this.#forms.set(digest, form);
    return form;
  }
}

/** The same of the same request, in whatever run and to whatever deployment it was sent. */
function keyOf({ api, request: { method, path, headers, body } }: Exchange): string {
  const asked = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !UNASKED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = JSON.stringify([api, method, path, asked, body?.encoding, body?.text]);
  return createHash('sha256').update(text).digest('base64');
}

function formOf(view: View): AnswerForm {
  const code = view.succeeded ? undefined : view.errorCode;
  const facts = new Map<string, string>();
  for (const [field, value] of view.responseHeaders.slice(0, MAX_HEADERS)) {
    const name = field.slice(0, MAX_CHARACTERS).toLowerCase();
    if (UNREPORTED.has(name)) continue;
    const [media = ''] = value.slice(0, MAX_CHARACTERS).split(';', 1);
    facts.set(`#${name}`, name === 'content-type' ? media.trim().toLowerCase() : 'present');
  }
  if (view.json !== undefined) {
    for (const [pointer, types] of membersIn(view.json)) {
      facts.set(pointer, [...types].sort().join(' or '));
    }
  }
  const inOrder = [...facts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    answer: code === undefined ? String(view.status) : `${view.status} ${code}`,
    facts: new Map(inOrder),
  };
}

/** Thrown when a URL gives no text; the message is a clause: `it answers 404`. */
export class UnfetchedFile extends Error {
  override readonly name = 'UnfetchedFile';
  readonly isTooLarge: boolean;

  constructor(message: string, options: ErrorOptions = {}, isTooLarge = false) {
    super(message, options);
    this.isTooLarge = isTooLarge;
  }
}

/** Options of {@link fetchText}. */
export interface FetchOptions {
  readonly fetch: typeof fetch;
  /** Ends the whole of it. */
  readonly signal: AbortSignal;
  readonly mostBytes: number;
  /** How many redirects are followed, none of them to another origin. */
  readonly mostRedirects: number;
}

/** What a URL gave. */
export interface FetchedText {
  /** Where it stood in the end. */
  readonly url: string;
  readonly bytes: Uint8Array;
}

/**
 * Gets a file over HTTP, without credentials.
 *
 * @throws UnfetchedFile
 */
export async function fetchText(first: string, options: FetchOptions): Promise<FetchedText> {
  const { signal, mostRedirects } = options;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(url, options);
    const to = redirectOf(response, url);
    if (to === undefined) {
      if (!response.ok) {
        await response.body?.cancel();
        throw new UnfetchedFile(`it answers ${response.status}`);
      }
      return { url, bytes: await bytesOf(response, options) };
    }
    await response.body?.cancel();
    if (to.origin !== new URL(url).origin) {
      throw new UnfetchedFile(`it redirects to ${to.origin}, another origin: name that URL itself`);
    }
    if (redirects >= mostRedirects || signal.aborted) {
      throw new UnfetchedFile(
        mostRedirects === 0 ? `it redirects: refer to ${to.href}` : 'it redirects too often',
      );
    }
    url = to.href;
  }
}

async function ask(url: string, { fetch, signal }: FetchOptions): Promise<Response> {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { Accept: 'application/yaml, application/json, */*;q=0.5', 'User-Agent': 'assay' },
    });
  } catch (error) {
    throw failure(error, signal);
  }
}

function redirectOf(response: Response, url: string): URL | undefined {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return undefined;
  if (!URL.canParse(location, url)) throw new UnfetchedFile('it redirects to no URL');
  return new URL(location, url);
}

async function bytesOf(
  response: Response,
  { signal, mostBytes }: FetchOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader === undefined) return new Uint8Array();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
      total += value.byteLength;
      if (total > mostBytes) {
        throw new UnfetchedFile(`it has more than ${mostBytes} bytes`, {}, true);
      }
    }
  } catch (error) {
    throw failure(error, signal);
  } finally {
    // What comes after the limit is not waited for.
    await reader.cancel().catch(() => undefined);
  }
}

function failure(error: unknown, signal: AbortSignal): UnfetchedFile {
  if (error instanceof UnfetchedFile) return error;
  if (signal.aborted) {
    return new UnfetchedFile('the time for contracts was over before it was there');
  }
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || String(cause) : message;
  return new UnfetchedFile(`it cannot be fetched: ${reason}`, { cause: error });
}

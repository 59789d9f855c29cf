import { errors } from 'undici';
import { machineFailureOf } from '../../contracts/wire/machine/machine-failure.ts';
import { failed, type TransportFailure } from './transport.ts';

const CONNECT_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved just now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EACCES: 'the system does not allow this connection',
};

/**
 * Says in words why no complete response was received. Codes are those of Node's sockets, of undici and
 * of its HTTP parser (`HPE_…`); errors of TLS carry `ERR_TLS_…`, `ERR_SSL_…` or a certificate code.
 *
 * @param responseBegun whether a status line had arrived already
 */
export function networkFailure(error: Error, responseBegun: boolean): TransportFailure {
  const machine = machineFailure(error);
  if (machine !== undefined) return machine;
  const code = codeOf(error);
  const known = CONNECT_CODES[code];
  if (known !== undefined) return failed('connect', `${known} (${code})`);
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_'))
    return notHttp(error, code);
  const tunnel = PROXY.exec(error.message)?.[1];
  if (tunnel !== undefined)
    return failed('connect', `the proxy answers ${tunnel}${proxyAdvice(tunnel)}`);
  if (isPlainHttp(error, code)) {
    return failed(
      'connect',
      `the server speaks plain HTTP there, not TLS: its URL begins with http:// (${code})`,
    );
  }
  if (isTls(error, code)) {
    return failed('connect', `TLS failed: ${firstLine(error.message)}${tlsAdvice(code)}`);
  }
  switch (code) {
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failed('timeout', `no connection was made (${code})`);
    case 'UND_ERR_HEADERS_OVERFLOW':
      return failed('too-large', 'the response headers are larger than 64 KiB');
    default:
      return failed('closed', `${whenClosed(responseBegun)} (${describe(error, code)})`);
  }
}

/**
 * Why a request had no whole answer, by what the network says. `way`: something between this machine and the
 * target, such as name resolution or a forward proxy, which says nothing of the target.
 */
export function whyUnanswered(
  error: Error,
): 'refused' | 'reset' | 'tls' | 'timeout' | 'unanswered' | 'way' {
  const code = codeOf(error);
  if (WAY.has(code) || PROXY.test(error.message)) return 'way';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (isPlainHttp(error, code) || isTls(error, code)) return 'tls';
  const isClosed =
    error instanceof errors.SocketError || CLOSED.has(code) || code === 'HPE_INVALID_EOF_STATE';
  return isClosed ? 'reset' : 'unanswered';
}

const WAY: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES'],
]);
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const PROXY = /Proxy response \((\d+)\)/;

/** What this machine lacks, wherever in an error it stands: in a cause, or by one of several addresses. */
function machineFailure(error: Error): TransportFailure | undefined {
  for (const one of withCauses(error)) {
    const isBinding = 'syscall' in one && one.syscall === 'bind';
    const code = codeOf(one);
    if (isBinding && code === 'EADDRNOTAVAIL') {
      return failed('connect', `the source address is not an address of this machine (${code})`);
    }
    // Nobody but a socket with a source address is bound.
    const words = code === 'EADDRINUSE' && !isBinding ? undefined : machineFailureOf(code);
    if (words !== undefined) return failed('machine', words);
  }
  return undefined;
}

/** Deeper causes are no causes of a socket. */
const MAX_DEPTH = 5;

function withCauses(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return [];
  const several = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return [error, ...[...several, error.cause].flatMap((one) => withCauses(one, depth + 1))];
}

function proxyAdvice(status: string): string {
  return status === '407' ? '; give credentials in the URL of HTTPS_PROXY or HTTP_PROXY' : '';
}

/** What a certificate that nobody known has signed asks for. */
function tlsAdvice(code: string): string {
  return /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)
    ? '; if a private authority signed its certificate, name the file of that with --ca'
    : '';
}

function whenClosed(responseBegun: boolean): string {
  return responseBegun
    ? 'the connection ended in the middle of the response'
    : 'the connection ended before a response';
}

function notHttp(error: Error, code: string): TransportFailure {
  // The parser reports an early end of a connection in the same way as wrong bytes.
  return code === 'HPE_INVALID_EOF_STATE'
    ? failed('closed', `the connection ended in the middle of the response (${code})`)
    : failed('closed', `the answer is not HTTP: ${firstLine(error.message)}`);
}

/** What OpenSSL says of bytes that are no record of TLS, such as an answer of HTTP. */
function isPlainHttp({ message }: Error, code: string): boolean {
  return (
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code) ||
    /wrong version number|packet length too long/i.test(message)
  );
}

function isTls(error: Error, code: string): boolean {
  return (
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) ||
    /certificate|before secure TLS connection/i.test(error.message)
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function describe(error: Error, code: string): string {
  const message = firstLine(error.message);
  // undici puts the code of the system in the cause, or nowhere.
  if (error instanceof errors.SocketError && message !== '') return message;
  return [message, code].filter((part) => part !== '').join(', ');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}

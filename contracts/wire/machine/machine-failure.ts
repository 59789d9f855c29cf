/** Failures of the machine that Assay runs on: they say nothing of a target. */

interface Cause {
  /** By which programs without codes, such as k6, report it. */
  readonly text: RegExp;
  readonly words: string;
  readonly remedy: string;
}

const FILES = '`ulimit -n` shows how many it may open, and allows more';
const MEMORY = 'give it more memory, or ask for less at once';
const NO_PORT: Cause = {
  text: /cannot assign requested address|EADDRNOTAVAIL/i,
  words: 'this machine has no free port left for one more connection',
  remedy:
    'a wider net.ipv4.ip_local_port_range, a lower rate or fewer connections help, and ports come free after a minute',
};

const CAUSES: Readonly<Record<string, Cause>> = {
  EMFILE: {
    text: /too many open files(?! in system)|EMFILE/i,
    words: 'this process has too many open files',
    remedy: FILES,
  },
  ENFILE: {
    text: /too many open files in system|ENFILE|file table overflow/i,
    words: 'this machine has too many open files',
    remedy: 'fs.file-max allows more',
  },
  EADDRNOTAVAIL: NO_PORT,
  // Of a socket that is bound to a chosen source address.
  EADDRINUSE: { ...NO_PORT, text: /bind: address already in use|bind EADDRINUSE/i },
  ENOBUFS: {
    text: /no buffer space available|ENOBUFS/i,
    words: 'this machine has no room for one more socket',
    remedy: MEMORY,
  },
  ENOMEM: {
    text: /cannot allocate memory|ENOMEM|ERR_WORKER_OUT_OF_MEMORY|WebAssembly.*Out of memory/i,
    words: 'this machine is out of memory',
    remedy: MEMORY,
  },
};

/** The cause and what helps, if a code of the system, such as `EMFILE`, is of this machine. */
export function machineFailureOf(code: string): string | undefined {
  const cause = Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
  return cause === undefined ? undefined : sentence(code, cause);
}

/** The same of what another program said, or of the message of an error. */
export function machineFailureIn(text: string): string | undefined {
  const found = Object.entries(CAUSES).find(([, cause]) => cause.text.test(text));
  return found === undefined ? undefined : sentence(...found);
}

function sentence(code: string, { words, remedy }: Cause): string {
  return `${words} (${code}); ${remedy}`;
}

/**
 * What a run says of requests that this machine could not send.
 *
 * @param of what they belong to, such as ` of the load`, if a run sends others besides
 * @param failed what did not carry them: this machine, or the way to the target
 */
export function machineNotice(
  count: number,
  why: string,
  of = '',
  failed: NodeOnTheWay = 'This machine',
): string {
  const requests = count === 1 ? `One request${of} was` : `${count} requests${of} were`;
  return `${failed} failed, which says nothing of the target. ${requests} not sent: ${why}.`;
}

/** What may fail beside the target. */
export type NodeOnTheWay = 'This machine' | 'The way to the target';

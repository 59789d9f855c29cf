#!/usr/bin/env node
/**
 * Starts the command line. Nothing is imported at its top and no new syntax is used: an old Node, another engine
 * and an install in pieces read this file as well. Whatever ends the process, it exits with 4 unless the command
 * came to its own end.
 */

/** Exit code if Assay itself failed, or was ended. */
const FAILED = 4;
/** As `engines` of package.json says. */
const LEAST_NODE = [20, 19] as const;
/**
 * What a function does before the V8 of Node 20 optimises it; its own is 135,168. Few functions of a command run for
 * long, and at that a gate took a quarter more of the processors, most of it to compile what was then hardly used.
 */
const INTERRUPT_BUDGET = 600_000;
/** What is left open may keep the process for this long, once all is printed. */
const LEAVING_MS = 500;

/** Undefined until somebody was notified of how it ended. */
let code: number | undefined;

function notify(text: string): void {
  process.stderr.write(`assay: ${text}\n`);
}

function leave(ended: number): void {
  code = ended;
  process.exit();
}

/** The engine, if it is none that Assay runs on. */
function unfitEngine(): string | undefined {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  if (deno !== undefined) return `Deno ${deno}`;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isFit = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isFit ? undefined : `Node ${node}`;
}

/** What became of an error, for whoever waits; until the command line is there, that it cannot start. */
let explained = async (error: unknown): Promise<number> => {
  const message = messageOf(error);
  const why = await import('./open-files.ts').then(
    ({ machineFailureBehind }) => machineFailureBehind(message),
    () => {
      if (/\bE[MN]FILE\b/.test(message)) throw error;
      return undefined;
    },
  );
  const machine = why === undefined ? '' : `this machine failed, not the target: ${why}. `;
  notify(`Assay cannot start: ${machine}${message}`);
  return FAILED;
};

/** Explaining loads modules, which a machine may refuse as well. */
function fail(error: unknown): void {
  explained(error).then(leave, (refused: unknown) => {
    const messages = [...new Set([messageOf(error), messageOf(refused)])].join('; ');
    const advice = /\bE[MN]FILE\b/.test(messages)
      ? ' Too many files are open: `ulimit -n` allows more.'
      : '';
    notify(`Assay failed on this machine, which says nothing of the target: ${messages}.${advice}`);
    leave(FAILED);
  });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\n[^]*/, '');
}

async function start(): Promise<void> {
  // A trace is for whoever asks for one: with the maps, each file takes twice as long to load.
  if (process.env.DEBUG) process.setSourceMapsEnabled(true);
  // Later ones do not know the flag, and say so.
  if (process.versions.v8.startsWith('11.')) {
    const { setFlagsFromString } = await import('node:v8');
    // Of all threads, which are started later.
    setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  }
  const { missingOfInstall } = await import('./install.ts');
  const missing = missingOfInstall();
  if (missing !== undefined) {
    notify(`the install is not whole: ${missing} is missing. Install Assay again.`);
    leave(FAILED);
  }
  const commandLine = await import('./command-line.ts');
  explained = commandLine.explained;
  code = await commandLine.main(process.argv);
  setTimeout(() => process.exit(), LEAVING_MS).unref();
}

const unfit = unfitEngine();
if (unfit === undefined) {
  // Until the command listens, and wherever it does not: nothing else ends the first process of a container.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      notify(`${signal} ended the command before it was through.`);
      leave(FAILED);
    });
  }
  process.on('exit', () => {
    if (code === undefined) {
      notify(
        'the process was ended before the command was through, which says nothing of the target. A configuration, or a package that it imports, may call process.exit.',
      );
    }
    // An old Node does not read the operator for it.
    // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing
    process.exitCode = code === undefined ? FAILED : code;
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  start().catch(fail);
} else {
  notify(`needs Node >= ${LEAST_NODE.join('.')}; this is ${unfit}.`);
  process.exit(FAILED);
}

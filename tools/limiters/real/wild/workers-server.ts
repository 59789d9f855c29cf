/**
 * Processes of express-rate-limit that share no memory, behind one address; writes its URL on standard
 * output, and ends with its standard input. Arguments: who is asked, how many, the limit, the window in seconds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startRealLimiter } from '../index.ts';
import { listenOnLoopback, urlOf } from '../listening.ts';

const [chosenBy, ...numbers] = process.argv.slice(2);
const [count = 2, limit = 1, windowSeconds = 1] = numbers.map(Number);
const send = process.send?.bind(process);

if (send !== undefined) {
  const { url } = await startRealLimiter('express-rate-limit', { limit, windowSeconds });
  process.once('disconnect', () => process.exit(0));
  send(url);
} else {
  const urls = await Promise.all(Array.from({ length: count }, startWorker));
  const server = await listenOnLoopback((from, to) => {
    relay(urls[turnOf(from.socket)] ?? '', from, to);
  });
  process.stdout.write(`${urlOf(server)}\n`);
  process.stdin.on('end', () => process.exit(0)).resume();
}

async function startWorker(): Promise<string> {
  const worker = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  const [url] = (await once(worker, 'message')) as [string];
  return url;
}

let turns: number | undefined;
let ofSockets: WeakMap<Socket, number> | undefined;

/** Which worker is asked. */
function turnOf(socket: Socket): number {
  if (chosenBy === 'chance') return Math.floor(Math.random() * count);
  ofSockets ??= new WeakMap();
  const known = chosenBy === 'connection' ? ofSockets.get(socket) : undefined;
  if (known !== undefined) return known;
  turns = turns === undefined ? 0 : (turns + 1) % count;
  ofSockets.set(socket, turns);
  return turns;
}

let agent: Agent | undefined;

function relay(base: string, from: IncomingMessage, to: ServerResponse): void {
  agent ??= new Agent({ keepAlive: true });
  const { method, headers, url = '/' } = from;
  const asked = request(`${base}${url}`, { method, headers, agent }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  asked.once('error', () => to.writeHead(502).end());
  from.pipe(asked);
}

/** A library of books: `node server.mjs [port] [--faulty] [--limited]`. It listens on loopback alone. */

import { createServer } from 'node:http';

const SHELVES = ['fiction', 'science', 'travel'];
const TITLES = ['Ash', 'Birch', 'Cedar', 'Elder', 'Fir', 'Hazel', 'Juniper', 'Larch', 'Maple'];
const BOOKS = TITLES.map((title, at) => ({
  id: `book-${at + 1}`,
  title,
  shelf: SHELVES[at % SHELVES.length],
  pages: 100 + 7 * at,
}));

/** The fault: a list of exactly three books is in no order. */
const isFaulty = process.argv.includes('--faulty');

/** Ten requests of each address in a second, and the rest of the second to wait. */
const isLimited = process.argv.includes('--limited');
const LIMIT = 10;
const WINDOW_MS = 1000;
const windows = new Map();

/** How long an address has to wait, in seconds; 0 when it is let in. */
function waitSeconds(address, nowMs) {
  const since = windows.get(address);
  const isOver = since === undefined || nowMs - since.startMs >= WINDOW_MS;
  const current = isOver ? { startMs: nowMs, requests: 0 } : since;
  windows.set(address, current);
  current.requests += 1;
  return current.requests <= LIMIT ? 0 : (current.startMs + WINDOW_MS - nowMs) / 1000;
}

function list(query) {
  const most = query.get('most') ?? '10';
  const shelf = query.get('shelf');
  if (!/^[1-9][0-9]?$/.test(most) || Number(most) > 50) return refused(400, 'most is 1 to 50');
  if (shelf !== null && !SHELVES.includes(shelf)) return refused(400, 'there is no such shelf');
  const found = BOOKS.filter((book) => shelf === null || book.shelf === shelf);
  const some = found.slice(0, Number(most));
  return { status: 200, json: isFaulty && some.length === 3 ? some.reverse() : some };
}

function read(id) {
  const book = BOOKS.find((one) => one.id === id);
  return book === undefined ? refused(404, 'there is no such book') : { status: 200, json: book };
}

function refused(status, reason) {
  return { status, json: { reason } };
}

function answer({ method, url = '/' }) {
  if (method !== 'GET') return refused(405, 'only GET is known');
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  if (pathname === '/books') return list(searchParams);
  const [, id] = /^\/books\/([^/]+)$/.exec(pathname) ?? [];
  return id === undefined ? refused(404, 'there is nothing here') : read(id);
}

const server = createServer((request, response) => {
  const seconds = isLimited ? waitSeconds(request.socket.remoteAddress, Date.now()) : 0;
  const { status, json } = seconds > 0 ? refused(429, 'ask again later') : answer(request);
  const wait = seconds > 0 ? { 'Retry-After': String(Math.ceil(seconds)) } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', ...wait });
  response.end(JSON.stringify(json));
});
server.listen(Number(process.argv[2] ?? 4600), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});

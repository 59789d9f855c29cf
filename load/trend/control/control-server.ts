/**
 * A plain server in a process of its own: the same bytes to whatever is asked, so that only the machine
 * can make it slower from one night to the next. Sends its URL to the process that forked it, and ends
 * with it. Listens on loopback alone.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** About as long as a quote. */
const BODY = JSON.stringify({ data: 'x'.repeat(2000) });
const HEADERS = { 'content-type': 'application/json', 'content-length': String(BODY.length) };

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  // Nothing of it is kept; the answer waits for the end of the request, as any service's does.
  request.resume();
  request.on('end', () => {
    response.writeHead(200, HEADERS).end(BODY);
  });
});
server.on('listening', () => {
  const { address, family, port } = server.address() as AddressInfo;
  process.send?.({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}` });
});
// Where this machine has no 127.0.0.1; without ::1 as well the process ends.
server.once('error', () => server.listen(0, '::1'));
server.listen(0, '127.0.0.1');
process.on('disconnect', () => {
  process.exit(0);
});
// A terminal sends Ctrl-C to all; the one that forked this decides when it ends.
process.on('SIGINT', () => undefined);

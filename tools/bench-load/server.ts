import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Post } from './material.ts';

/** A plain server in a process of its own: it is sent what to answer, and reports its port. */
process.once('message', (posts: readonly Post[]) => {
  const turns = new Map(
    posts.map(({ body, answers }) => [
      body,
      { next: 0, answers: answers.map((answer) => Buffer.from(answer)) },
    ]),
  );
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const turn = turns.get(body);
      const answer = turn?.answers[turn.next++ % turn.answers.length];
      response.writeHead(answer === undefined ? 404 : 200, {
        'Content-Type': 'application/json',
        'Content-Length': answer?.length ?? 0,
        'X-Request-Id': 'r-1',
        'Cache-Control': 'no-store',
      });
      response.end(answer);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});

// Nobody is left to ask it.
process.once('disconnect', () => {
  process.exit();
});

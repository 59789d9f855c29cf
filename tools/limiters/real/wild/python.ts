import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WildLimiter } from './wild-limiter.ts';

const SOURCE = `import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import (
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
    SlidingWindowCounterRateLimiter,
)

STRATEGIES = {
    "fixed": FixedWindowRateLimiter,
    "moving": MovingWindowRateLimiter,
    "counter": SlidingWindowCounterRateLimiter,
}
port, *texts = sys.argv[1:]
rules = []
for text in texts:
    name, rate = text.split(":", 1)
    rules.append((STRATEGIES[name](MemoryStorage()), parse(rate)))
lock = Lock()


def admitted():
    with lock:
        return all(limiter.hit(rate, "client") for limiter, rate in rules)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path == "/v1/config/chains" and not admitted():
            status = 429
            body = {"status": 429, "code": "RATE_LIMITED", "message": "too many", "requestId": "py"}
        else:
            status, body = 200, {"status": "success", "data": {}}
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
`;

function limits(
  name: string,
  rules: readonly string[],
  truths: WildLimiter['truths'],
): WildLimiter {
  return {
    family: 'python',
    name,
    parameters: rules.join(' and '),
    truths,
    command: ({ tool, folder, port }) => {
      const file = join(folder, 'server.py');
      writeFileSync(file, SOURCE);
      return { program: tool, args: [file, String(port), ...rules] };
    },
  };
}

/** The strategies of the library `limits`, which Flask-Limiter and slowapi use. */
export const PYTHON_LIMITERS: readonly WildLimiter[] = [
  limits(
    'limits fixed window',
    ['fixed:10/3 second'],
    [{ class: 'fixed-window', limit: 10, seconds: 3 }],
  ),
  limits(
    'limits moving window',
    ['moving:12/4 second'],
    [{ class: 'sliding-log', limit: 12, seconds: 4 }],
  ),
  limits(
    'limits sliding window counter',
    ['counter:20/4 second'],
    [{ class: 'sliding-counter', limit: 20, seconds: 4 }],
  ),
  limits(
    'limits, two of them',
    ['fixed:5/2 second', 'moving:20/20 second'],
    [
      {
        class: 'stacked',
        limit: 20,
        seconds: 20,
        parts: [
          { class: 'fixed-window', limit: 5, seconds: 2 },
          { class: 'sliding-log', limit: 20, seconds: 20 },
        ],
      },
    ],
  ),
];

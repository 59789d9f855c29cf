import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DJANGO_SOURCE, FLASK_SOURCE, SLOWAPI_SOURCE } from './python-web-source.ts';
import type { WildLimiter } from './wild-limiter.ts';

interface WebCase {
  readonly name: string;
  readonly source: string;
  readonly rates: readonly string[];
  readonly truths: WildLimiter['truths'];
  readonly note?: string;
  readonly throttleStatus?: number;
}

function web({ name, source, rates, truths, note, throttleStatus }: WebCase): WildLimiter {
  return {
    family: 'python',
    name,
    parameters: rates.join(' and '),
    truths,
    ...(note === undefined ? {} : { note }),
    ...(throttleStatus === undefined ? {} : { throttleStatus }),
    command: ({ tool, folder, port }) => {
      const file = join(folder, 'server.py');
      writeFileSync(file, source);
      return { program: tool, args: [file, String(port), ...rates] };
    },
  };
}

/** Limiters of frameworks for the web, each as its documentation begins with it. */
export const PYTHON_WEB_LIMITERS: readonly WildLimiter[] = [
  web({
    name: 'slowapi',
    source: SLOWAPI_SOURCE,
    rates: ['15/3 second'],
    truths: [{ class: 'fixed-window', limit: 15, seconds: 3 }],
    note: 'with its headers',
  }),
  web({
    name: 'Flask-Limiter',
    source: FLASK_SOURCE,
    rates: ['6/2 second', '20/20 second'],
    truths: [
      {
        class: 'stacked',
        limit: 20,
        seconds: 20,
        parts: [
          { class: 'sliding-log', limit: 6, seconds: 2 },
          { class: 'sliding-log', limit: 20, seconds: 20 },
        ],
      },
    ],
  }),
  web({
    name: 'django-ratelimit',
    source: DJANGO_SOURCE,
    rates: ['12/5s'],
    truths: [
      { class: 'clock-window', limit: 12, seconds: 5 },
      { class: 'interval-refill', limit: 12, seconds: 5, intervalSeconds: 5 },
    ],
    note: 'windows of the clock, shifted by whole seconds that the address decides',
    throttleStatus: 403,
  }),
];

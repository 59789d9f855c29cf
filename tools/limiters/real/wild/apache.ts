import { apacheConfiguration, evasiveModule, qosModule } from './apache-configuration.ts';
import type { WildLimiter } from './wild-limiter.ts';

/** A page that is asked for more often in an interval puts the client on hold; whoever asks meanwhile, anew. */
function evasive(count: number, intervalSeconds: number, holdSeconds: number): WildLimiter {
  return {
    family: 'apache',
    name: 'mod_evasive',
    parameters: `page ${count} in ${intervalSeconds} s, ${holdSeconds} s held, 403`,
    // The first request of a page is not counted, and the first after a hold is.
    truths: [{ class: 'none', limit: count + 1, seconds: holdSeconds }],
    note: 'counts on until a whole interval is silent, by a clock of whole seconds',
    throttleStatus: 403,
    command: (place) => ({
      program: place.tool,
      args: [
        ...['-X', '-f'],
        apacheConfiguration(place, evasiveModule(), [
          `DOSLogDir "${place.folder}"`,
          `DOSPageCount ${count}`,
          `DOSPageInterval ${intervalSeconds}`,
          'DOSSiteCount 100000',
          `DOSBlockingPeriod ${holdSeconds}`,
        ]),
      ],
    }),
  };
}

/** Events are counted from the first one until a whole second later than the time that is given. */
function events(limit: number, seconds: number): WildLimiter {
  return {
    family: 'apache',
    name: 'mod_qos QS_EventLimitCount',
    parameters: `${limit} in ${seconds} s, 429`,
    truths: [
      { class: 'none', limit, seconds: seconds + 1 },
      { class: 'fixed-window', limit, seconds: seconds + 1 },
    ],
    note: 'whole seconds: a window lasts between one more and none more than it is set to',
    command: (place) => ({
      program: place.tool,
      args: [
        ...['-X', '-f'],
        apacheConfiguration(place, qosModule(), [
          'SetEnvIf Request_URI ^/v1/ Counted=yes',
          `QS_EventLimitCount Counted ${limit} ${seconds}`,
          'QS_ErrorResponseCode 429',
        ]),
      ],
    }),
  };
}

/** Modules that limit, as Debian has them. */
export const APACHE_LIMITERS: readonly WildLimiter[] = [
  evasive(8, 1, 3),
  evasive(6, 4, 4),
  events(10, 3),
  events(20, 7),
];

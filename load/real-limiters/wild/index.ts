import { GO_LIMITERS } from './go.ts';
import { HAPROXY_LIMITERS } from './haproxy.ts';
import { NGINX_LIMITERS } from './nginx.ts';
import { NPM_LIMITERS } from './npm.ts';
import { PYTHON_LIMITERS } from './python.ts';
import type { WildLimiter } from './wild-limiter.ts';

/** All of them. */
export const WILD_LIMITERS: readonly WildLimiter[] = [
  ...NPM_LIMITERS,
  ...NGINX_LIMITERS,
  ...HAPROXY_LIMITERS,
  ...GO_LIMITERS,
  ...PYTHON_LIMITERS,
];

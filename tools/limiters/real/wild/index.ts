import { APACHE_LIMITERS } from './apache.ts';
import { CADDY_LIMITERS } from './caddy.ts';
import { GO_LIMITERS } from './go.ts';
import { HAPROXY_LIMITERS } from './haproxy.ts';
import { JAVA_LIMITERS } from './java.ts';
import { NGINX_LIMITERS } from './nginx.ts';
import { NPM_LIMITERS } from './npm.ts';
import { PYTHON_LIMITERS } from './python.ts';
import { PYTHON_WEB_LIMITERS } from './python-web.ts';
import { RUST_LIMITERS } from './rust.ts';
import type { WildLimiter } from './wild-limiter.ts';
import { WORKERS_LIMITERS } from './workers.ts';

/** All of them. */
export const WILD_LIMITERS: readonly WildLimiter[] = [
  ...NPM_LIMITERS,
  ...WORKERS_LIMITERS,
  ...NGINX_LIMITERS,
  ...HAPROXY_LIMITERS,
  ...APACHE_LIMITERS,
  ...CADDY_LIMITERS,
  ...GO_LIMITERS,
  ...PYTHON_LIMITERS,
  ...PYTHON_WEB_LIMITERS,
  ...JAVA_LIMITERS,
  ...RUST_LIMITERS,
];

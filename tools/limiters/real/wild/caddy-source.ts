/** Caddy with the one module that limits, and no more of its own modules than it answers with. */

/** Packages, at versions that are known to work. */
export const CADDY_MODULES: readonly string[] = [
  'github.com/caddyserver/caddy/v2/cmd@v2.10.2',
  'github.com/caddyserver/caddy/v2/modules/caddyhttp@v2.10.2',
  'github.com/caddyserver/caddy/v2/modules/filestorage@v2.10.2',
  'github.com/mholt/caddy-ratelimit@v0.1.0',
];

/** Takes the arguments of `caddy`. */
export const CADDY_SOURCE = `package main

import (
	"github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/filestorage"
	_ "github.com/mholt/caddy-ratelimit"
)

func main() {
	caddycmd.Main()
}
`;

/** A small server in Go with one limiter of a library, chosen by name. */

/** The libraries, at versions that are known to work. */
export const GO_MODULES: readonly string[] = [
  'golang.org/x/time@v0.14.0',
  'github.com/ulule/limiter/v3@v3.11.2',
  'github.com/sethvargo/go-limiter@v0.7.1',
  'github.com/throttled/throttled/v2/store/memstore@v2.15.0',
  'go.uber.org/ratelimit@v0.3.1',
];

/** Arguments: port, library, limit, and the seconds of the window or the rate per second. */
export const GO_SOURCE = `package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	throttledstore "github.com/throttled/throttled/v2/store/memstore"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	uber "go.uber.org/ratelimit"
	"golang.org/x/time/rate"
)

func number(at int) float64 {
	value, err := strconv.ParseFloat(os.Args[at], 64)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// admits answers whether the next request is let in.
func admits(library string, limit int, value float64) func() bool {
	window := time.Duration(value * float64(time.Second))
	switch library {
	case "x/time/rate":
		bucket := rate.NewLimiter(rate.Limit(value), limit)
		return bucket.Allow
	case "ulule/limiter":
		all := limiter.New(memory.NewStore(), limiter.Rate{Period: window, Limit: int64(limit)})
		return func() bool {
			state, err := all.Get(context.Background(), "client")
			return err == nil && !state.Reached
		}
	case "sethvargo/go-limiter":
		store, err := memorystore.New(&memorystore.Config{Tokens: uint64(limit), Interval: window})
		if err != nil {
			log.Fatal(err)
		}
		return func() bool {
			_, _, _, ok, err := store.Take(context.Background(), "client")
			return err == nil && ok
		}
	case "throttled/throttled":
		store, err := throttledstore.NewCtx(16)
		if err != nil {
			log.Fatal(err)
		}
		// The burst is what is let in beyond the first.
		quota := throttled.RateQuota{MaxRate: throttled.PerSec(int(value)), MaxBurst: limit - 1}
		all, err := throttled.NewGCRARateLimiterCtx(store, quota)
		if err != nil {
			log.Fatal(err)
		}
		return func() bool {
			limited, _, err := all.RateLimitCtx(context.Background(), "client", 1)
			return err == nil && !limited
		}
	case "uber/ratelimit":
		turns := uber.New(int(value))
		return func() bool {
			turns.Take()
			return true
		}
	}
	log.Fatal("no such library: " + library)
	return nil
}

func main() {
	admitted := admits(os.Args[2], int(number(3)), number(4))
	http.HandleFunc("/v1/config/chains", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if admitted() {
			fmt.Fprint(w, "{\\"status\\":\\"success\\",\\"data\\":{}}")
			return
		}
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, "{\\"status\\":429,\\"code\\":\\"RATE_LIMITED\\",\\"message\\":\\"too many\\",\\"requestId\\":\\"go\\"}")
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
`;

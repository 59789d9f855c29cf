/** A small server in Java with one limiter of a library, chosen by name. */

/** Group, name and version of each library, at versions that are known to work. */
const LIBRARIES = [
  ['com.bucket4j', 'bucket4j_jdk17-core', '8.14.0'],
  ['io.github.resilience4j', 'resilience4j-ratelimiter', '2.4.0'],
  ['com.google.guava', 'guava', '33.5.0-jre'],
] as const;

/** Names them to Maven. */
export const JAVA_PROJECT: string = [
  '<project>',
  '  <modelVersion>4.0.0</modelVersion>',
  '  <groupId>limiters</groupId><artifactId>limiters</artifactId><version>1</version>',
  '  <dependencies>',
  ...LIBRARIES.map(
    ([group, name, version]) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  ),
  '  </dependencies>',
  '</project>',
  '',
].join('\n');

/** Arguments: port, library, limit, what comes back at a time, and the milliseconds until it does. */
export const JAVA_SOURCE = `import com.google.common.util.concurrent.RateLimiter;
import com.sun.net.httpserver.HttpServer;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

public class Limiters {
    static BooleanSupplier limiter(String library, int limit, int refill, Duration period) {
        switch (library) {
            case "bucket4j greedy": {
                Bucket bucket = Bucket.builder()
                        .addLimit(all -> all.capacity(limit).refillGreedy(refill, period)).build();
                return () -> bucket.tryConsume(1);
            }
            case "bucket4j intervally": {
                Bucket bucket = Bucket.builder()
                        .addLimit(all -> all.capacity(limit).refillIntervally(refill, period)).build();
                return () -> bucket.tryConsume(1);
            }
            case "resilience4j": {
                var config = RateLimiterConfig.custom().limitForPeriod(limit)
                        .limitRefreshPeriod(period).timeoutDuration(Duration.ZERO).build();
                var all = io.github.resilience4j.ratelimiter.RateLimiter.of("all", config);
                return all::acquirePermission;
            }
            case "guava": {
                RateLimiter all = RateLimiter.create(refill * 1000.0 / period.toMillis());
                return all::tryAcquire;
            }
            default:
                throw new IllegalArgumentException(library);
        }
    }

    public static void main(String[] given) throws Exception {
        Duration period = Duration.ofMillis(Integer.parseInt(given[4]));
        BooleanSupplier admits =
                limiter(given[1], Integer.parseInt(given[2]), Integer.parseInt(given[3]), period);
        int port = Integer.parseInt(given[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 64);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", exchange -> {
            boolean counts = exchange.getRequestURI().getPath().equals("/v1/config/chains");
            boolean admitted = !counts || admits.getAsBoolean();
            String body = admitted
                    ? "{\\"status\\":\\"success\\",\\"data\\":{}}"
                    : "{\\"status\\":429,\\"code\\":\\"RATE_LIMITED\\",\\"message\\":\\"too many\\",\\"requestId\\":\\"java\\"}";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(admitted ? 200 : 429, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }
}
`;

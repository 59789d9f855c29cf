import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { exploreInProcess } from '../../suites/properties/in-process.ts';
import { IN_PROCESS_URLS } from '../../suites/service/in-process-urls.ts';
import { measureCommands } from './bench-commands.ts';
import { measureMalformed } from './bench-malformed.ts';
import { measureThroughput } from './bench-throughput.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { print } from '../../cli/output.ts';
import { DRIVEN } from '../../suites/service/driving.ts';

/** What judging costs, measured beside what parsing the same bodies costs. */
interface Cost {
  readonly parseMicros: number;
  /** Judging with the one parse it does itself. */
  readonly judgeMicros: number;
}

const WARM_UP_ROUNDS = 20;
const ROUNDS = 60;

/** Microseconds per exchange; parsing and judging take turns, so that both meet the same machine. */
function measure(exchanges: readonly Exchange[], contract: Contract): Cost {
  const bodies = exchanges.flatMap(({ outcome }) =>
    outcome.kind === 'response' ? [outcome.response.body.text] : [],
  );
  const parse: number[] = [];
  const judge: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const started = performance.now();
    for (const body of bodies) parseOrNothing(body);
    const parsed = performance.now();
    const judging = new Judge(RULES, contract);
    for (const exchange of exchanges) judging.add(exchange);
    judging.results();
    const judged = performance.now();
    if (round < WARM_UP_ROUNDS) continue;
    parse.push(((parsed - started) * 1000) / exchanges.length);
    judge.push(((judged - parsed) * 1000) / exchanges.length);
  }
  return { parseMicros: median(parse), judgeMicros: median(judge) };
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function report(exchanges: readonly Exchange[], { parseMicros, judgeMicros }: Cost): string {
  const beyond = judgeMicros - parseMicros;
  const bytes = exchanges.reduce(
    (sum, { outcome }) =>
      sum + (outcome.kind === 'response' ? outcome.response.body.text.length : 0),
    0,
  );
  return [
    `${exchanges.length} exchanges of a check of the reference service, ${Math.round(bytes / exchanges.length)} characters of body each, ${RULES.length} rules`,
    `JSON.parse of the body     ${parseMicros.toFixed(1)} µs per exchange`,
    `judging, beyond that parse ${beyond.toFixed(1)} µs per exchange`,
    `ratio                      ${(beyond / parseMicros).toFixed(2)} (goal: at most 1)`,
    '',
  ].join('\n');
}

const contract = await loadContract();
const exchanges: Exchange[] = [];
const environment = systemEnvironment();
const service = createReferenceService(
  defaultReferenceOptions({ seed: 1, environment, baseUrls: IN_PROCESS_URLS }),
);
await exploreInProcess({
  driven: DRIVEN,
  service,
  contract,
  seed: 1,
  clock: createSystemClock(),
  profile: 'gate',
  maxRequests: PROFILES.gate.maxRequests,
  judge: new Judge([], contract),
  onFound: () => undefined,
  listener: (exchange) => {
    exchanges.push(exchange);
  },
});
await service.close();
print(report(exchanges, measure(exchanges, contract)));
print(await measureMalformed(contract));
print(await measureThroughput(contract));
print(await measureCommands());

import type { Command } from 'commander';
import { Option } from 'commander';
import {
  allowRefOption,
  contractOption,
  maxContractBytesOption,
  severalOption,
} from '../flags/options.ts';
import { addSendingOptions } from '../flags/sending-options.ts';
import type { ExitCode } from '../exit-code.ts';
import { refuseClusterFlags, USUAL_PARTS } from './k8s-flags.ts';
import { ENGINE_NAMES } from './engine-names.ts';
import { USUAL_CONNECTIONS } from './load-flags.ts';
import { BUILTIN, USUAL_SCENARIO } from './load-scenario.ts';
import { FIRST_LOOK } from '../../load/trend/split-scan.ts';
import { INSTALL_K6 } from '../../load/engines/k6/k6-binary.ts';
import { addShowing } from '../show.ts';
import { collected } from '../throttle-status.ts';

function scenarioLines(): string {
  const names = Object.values(BUILTIN).map(
    ({ name, purpose }) => `  ${name.padEnd(12)} ${purpose}`,
  );
  return names.join('\n');
}

const HELP = `
Scenarios (and those of load.scenarios in the configuration):
${scenarioLines()}

Engines: open-loop sends each request at its time, whatever the target does · autocannon runs saturation
alone: each connection sends as soon as it is answered · k6 sends and judges by itself (v1, installed
apart: ${INSTALL_K6}), the card's rules, and on --judge-share all rules.

Thresholds: metric{step:NAME,operation:ID,of:served} comparison value; the braces, and each in them, may be left
out, and ID:metric names an operation as well
  p50 p75 p90 p95 p99     latency in ms or s of all that was not throttled, errors after all that was served
  p99.9 max               and beyond any bound; of:served leaves them out   p99<300ms, zap.quote:p95{of:served}<=0.2s
  errors failed throttled in %, or as counts. errors: 4xx, 5xx, broken off or unanswered; failed: the last two;
                          both of all that was not throttled         errors<0.1%, errors{step:usual}<1%
  rate                    requests a second that were served, however late   rate>=100/s
  violations dropped      of the whole run                           violations==0 (usual), dropped==0 (usual)
  drift recovery          how many times as slow: the last tenth of the longest step as its first; the usual rate
                          after a peak as before. Medians, beyond chance and 20 ms           drift<2x, recovery<2x
  smoke, average, soak and scenarios of your own are held to errors<1% as well, stress and spike in their steps
  at the usual rate. An operation that came to errors alone, five at least, is broken (ID:errors<100%).
  'errors<=100%' switches both off. Soak keeps drift<2x, stress and spike recovery<2x.
  slower                  percentiles, by earlier runs               slower==0 (usual if they are given)
What was not measured holds no threshold, and breaks none: exit 3. "abort: 10s" in a scenario of the configuration
ends its run once a threshold has been broken for so long.

More than 5 % throttled: the run measured the limiter, so rates and latencies are not known (exit 3). A threshold on
throttled decides in place of that; breakpoint, per-address, per-key, herd, --above-limit, and a scenario with
"throttled: expected" in the configuration expect it. A herd of which nobody was throttled is exit 3.

Slower than before? --history compares with the nights of a folder, --baseline with one record. slower counts
percentiles: of nights, those that are lastingly slower (from the ${FIRST_LOOK}th night on), or beyond all that they ever
spread (from the 8th on), until they come back or \`assay history --accept\` accepts it; of a baseline, those beyond 5 %
and chance. --rounds runs a fixed control in turns with the target and compares
the two, so that a slower machine is no slower service. Without it nights count all the same, since they show
how far a machine varies; a difference from a baseline is undecided (exit 3). So is a comparison that cannot
be made, with another scenario, machine or target. 'slower>=0' reports, and never fails.

What it does: learns what the target lists, makes requests that it has to serve, sends each once, then
sends them at the times of the scenario, whatever the target does. Latencies count from when a request
should have been sent. Every answer is judged by the rules on single exchanges; the record keeps those
that break one, and a sample.

Several machines: each runs --segment i/n of the same scenario at the same time; --merge DIR DIR… adds up
their records (counts and histograms, never percentiles), and judges and holds the whole to thresholds
again: those of --threshold and the configuration, else those of the parts. It sends nothing; --max-seconds
bounds its judging.

A cluster: --k8s DIR writes testrun.yaml and cluster.json (what the run was to do; no secret). Each pod writes
its samples as <pod>.json.gz to the --k8s-claim, or to its log (kubectl logs <pod> | gzip). Copy the files of all
parts into DIR: --merge DIR makes one record of them. Missing, doubled, torn and foreign samples are refused.

If this machine did not keep the schedule, latencies and rates do not count, and a threshold on them is not
known (exit 3); the report says why. Errors and violations count all the same.

The record has run.json (its load part), load.json, load.svg and trend.svg (plots), load.hgrm (percentiles, for
HdrHistogram's viewers), load.csv (the run second by second) and the exchanges that were kept.
Exit codes: 0 conforms, and all thresholds were held · 1 a rule or a threshold was broken · 2 wrong use ·
3 too little is known, as when figures do not count, the target was not reached or it was interrupted · 4 Assay itself
failed, or a record is not what it says it is`;

/** Adds `assay load` to the program. */
export function addLoad(program: Command, done: (code: ExitCode) => void): void {
  addSendingOptions(addShowing(program.command('load')))
    .description('load scenarios, judged while they run (default target: the embedded service)')
    .option('--scenario <name>', 'what to run', USUAL_SCENARIO)
    .option('--engine <name>', `${ENGINE_NAMES.join(', ')}: what sends (default: open-loop)`)
    .option('--k6 <path>', 'where k6 is (default: on the PATH)')
    .addOption(
      severalOption('--k6-out <output>', "an output of k6's own, e.g. experimental-prometheus-rw"),
    )
    .option('--segment <i/n>', 'the i-th of n parts of the run, each on a machine of its own')
    .option('--rounds <n>', 'so many runs of it, each beside one on a control: 5 are usual')
    .option('--history <dir>', 'a folder of records, e.g. of earlier nights: is it slower now?')
    .option('--baseline <dir>', 'the record of one earlier run: how far apart are the two?')
    .option('--k8s <dir>', 'writes a manifest for the k6-operator of a cluster; sends no load')
    .option('--parts <count>', `of --k8s: machines of the cluster (default: ${USUAL_PARTS})`)
    .option(
      '--k8s-secret <name>',
      'of --k8s: the Secret that holds ASSAY_TRADE_KEY under that name',
    )
    .option('--k8s-namespace <name>', 'of --k8s: the namespace of its objects')
    .option('--k8s-claim <name>', 'of --k8s: the PersistentVolumeClaim that samples are written to')
    .option(
      '--merge <dir...>',
      'adds up all parts of a run: records, or the folder of --k8s; sends nothing',
    )
    .option('--rate <per second>', 'its highest rate; others keep their proportion')
    .option('--scale <factor>', 'all of its rates times so much')
    .option('--seconds <seconds>', 'its length; steps keep their proportion')
    .option('--warm-up <seconds>', 'at its beginning, left out of latencies alone (default: 0)')
    .option('--clients <count>', 'addresses or keys that it sends from, if it has several')
    .addOption(severalOption('--threshold <expression>', "what it must keep, e.g. 'p99<300ms'"))
    .addOption(
      severalOption(
        '--allow-load <host>',
        'a host other than loopback whose owner agrees to be put under load',
      ),
    )
    .option('--limits <dir>', 'a run of assay limits, whose measured limits decide the rate')
    .option('--below-limit <factor>', 'stay below the measured limits, e.g. 0.8')
    .option('--above-limit <factor>', 'go above the measured limits on purpose, e.g. 1.5')
    .addOption(
      new Option(
        '--throttle-status <statuses>',
        'statuses that are throttled besides 429, as in 403,503; may be repeated',
      ).argParser(collected),
    )
    .option('--connections <count>', `to one origin at the most (default: ${USUAL_CONNECTIONS})`)
    .option(
      '--judge-share <share>',
      'of the answers that are judged, from 0 to 1 (default: 1; k6 0.1, by all rules, and 0 on fewer than four cores)',
    )
    .option(
      '--otlp <url>',
      'sends metrics while it runs to this OpenTelemetry collector; headers are those of OTEL_EXPORTER_OTLP_HEADERS',
    )
    .option('--zap-url <url>', 'base URL of the zap API')
    .option('--trade-url <url>', 'base URL of the trade API; its key is taken from ASSAY_TRADE_KEY')
    .option('--docs-url <url>', 'base URL of the documentation host')
    .option('--ai-url <url>', 'base URL of the AI runtime')
    .option('--config <file>', 'configuration file; else assay.config.{ts,js,mjs,json,yaml,yml}')
    .addOption(new Option('--trade-key <key>').hideHelp())
    .addOption(severalOption('--only <words>', 'judges only these rules; comma-separated'))
    .addOption(severalOption('--skip <words>', 'leaves these rules out; comma-separated'))
    .option(
      '--fail-on <level>',
      'a broken rule of this level or above fails the run (default: must)',
    )
    .option('--max-requests <count>', 'a ceiling below that of the scenario')
    .option('--max-seconds <seconds>', 'a ceiling below that of the scenario')
    .option('--timeout-ms <milliseconds>', 'for one exchange (default: 10000)')
    .option('--max-body-bytes <bytes>', 'for one response (default: 4194304)')
    .option('--max-record-bytes <bytes>', 'for the exchanges of the record (default: 1073741824)')
    .option('--source-ip <address>', 'local address to send from')
    .option(
      '--address-header <name>',
      'each of several addresses is one in this header field, which the target believes',
    )
    .option('--seed <number>', 'repeats the choices of a run')
    .option('--out <dir>', 'folder of the run record (default: reports/out/<time>)')
    .addOption(contractOption())
    .addOption(allowRefOption())
    .addOption(maxContractBytesOption())
    .addHelpText('after', HELP)
    .action(async (flags: Record<string, unknown>, command: Command) => {
      if (flags.k8s !== undefined) {
        const { writeClusterRun } = await import('./run-load-k8s.ts');
        done(await writeClusterRun(flags));
        return;
      }
      refuseClusterFlags(flags);
      if (flags.merge !== undefined) {
        const { mergeParts } = await import('./run-load-merge.ts');
        done(await mergeParts(givenOf(flags, command)));
        return;
      }
      // Loaded when it is needed: other commands start faster without.
      const { load } = await import('./run-load.ts');
      done(await load(flags));
    });
}

/** The flags that somebody gave: without the defaults. */
function givenOf(flags: Readonly<Record<string, unknown>>, command: Command): typeof flags {
  const given = Object.entries(flags).filter(
    ([name]) => command.getOptionValueSource(name) !== 'default',
  );
  return Object.fromEntries(given);
}

/**
 * Bundled as the script is, by tests: judges the mocked cases in an engine that is not Node. The engine
 * holds them as `CASES`, or k6 opens them as a file; what they break is left in `BROKEN`, or logged.
 */

import '../../../load/k6/stand-ins-first.ts';
import { judge } from 'assay:judge';
import type { Exchange } from '../../../contracts/wire/exchange.ts';

interface Engine {
  CASES?: string;
  BROKEN?: string;
  open?: (file: string) => string;
}

const engine = globalThis as unknown as Engine;
const text = engine.CASES ?? engine.open?.('./cases.json') ?? '[]';
const judged = (JSON.parse(text) as Exchange[]).map((exchange) => {
  const { broken, crash } = judge(exchange, 'all');
  return crash === undefined ? [...broken].sort() : [crash];
});
engine.BROKEN = JSON.stringify(judged);

/** What k6 runs. */
export default function log(): void {
  console.log(`BROKEN ${engine.BROKEN ?? ''}`);
  console.log(`NUMBER ${Number(10n ** 25n)}`);
}

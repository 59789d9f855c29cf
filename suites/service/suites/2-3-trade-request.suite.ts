import { suiteOf } from '../../harness.ts';

await suiteOf('2-3-trade-request');

import { suiteOf } from '../../harness.ts';

await suiteOf('2-4-trade-build-response');

import { suiteOf } from '../../harness.ts';

await suiteOf('2-1-zap-request');

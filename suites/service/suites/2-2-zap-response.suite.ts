import { suiteOf } from '../../harness.ts';

await suiteOf('2-2-zap-response');

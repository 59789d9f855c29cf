import { suiteOf } from '../../harness.ts';

await suiteOf('4-endpoints');

import { suiteOf } from '../../harness.ts';

await suiteOf('3-states');

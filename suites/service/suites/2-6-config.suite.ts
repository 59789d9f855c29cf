import { suiteOf } from '../../harness.ts';

await suiteOf('2-6-config');

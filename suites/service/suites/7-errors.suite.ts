import { suiteOf } from '../../harness.ts';

await suiteOf('7-errors');

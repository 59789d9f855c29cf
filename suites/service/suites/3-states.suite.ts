import { suiteOf } from '../../harness.ts';

suiteOf('3-states');

import { suiteOf } from '../../harness.ts';

suiteOf('1-conventions');

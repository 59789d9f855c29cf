import { suiteOf } from '../../harness.ts';

suiteOf('4-endpoints');

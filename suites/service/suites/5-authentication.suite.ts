import { suiteOf } from '../../harness.ts';

suiteOf('5-authentication');

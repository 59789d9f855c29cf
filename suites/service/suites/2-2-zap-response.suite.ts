import { suiteOf } from '../../harness.ts';

suiteOf('2-2-zap-response');

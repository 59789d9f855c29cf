import { suiteOf } from '../../harness.ts';

suiteOf('2-1-zap-request');

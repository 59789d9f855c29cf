import { conformanceSuite } from 'assay/vitest';

// The target of assay.config.* in the folder where the suites are started, or else the embedded reference service.
await conformanceSuite();

// Stands for fast-check in the tests (vitest's alias), so that one commit has one result. Each property
// draws from the same seed, or from ASSAY_TEST_SEED (a whole number, or "random" for new ones).
import * as fc from '../../node_modules/fast-check/lib/fast-check.js';

const given = process.env.ASSAY_TEST_SEED ?? '20261';
if (given !== 'random') {
  if (!/^-?\d{1,9}$/.test(given)) {
    throw new Error(
      `ASSAY_TEST_SEED is "${given}": give a whole number of up to 9 digits, or "random".`,
    );
  }
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
}

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;

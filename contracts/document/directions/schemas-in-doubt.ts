import { ContractError } from '../contract-error.ts';
import { UNKNOWN_SCHEMA_FAULTS } from '../schema.ts';
import type { Check, SchemaCompiler } from '../validation/schema-compiler.ts';

/** What compiles the schemas of a document. */
export type Schemas = Pick<SchemaCompiler, 'compile' | 'accepts' | 'compileReferred'>;

/**
 * Schemas of which others have the last word on what they refuse. Those are made and compiled when first
 * needed, which hardly any body does.
 *
 * @param usual refuse at least all that the others do
 */
export function schemasInDoubt(usual: Schemas, makeOthers: () => Schemas): Schemas {
  let made: Schemas | undefined;
  const others = (): Schemas => (made ??= makeOthers());
  return {
    compile: (url) => {
      const check = usual.compile(url);
      return (value, text) => {
        const faults = check(value, text);
        return faults.listed.length === 0
          ? faults
          : unlessTooLarge(() => others().compile(url)(value, text));
      };
    },
    accepts: (url, value) => usual.accepts(url, value) || others().accepts(url, value),
    compileReferred: () => {
      usual.compileReferred();
    },
  };
}

/** The others state the same in more words, so they may be too much for the compiler if the usual are not. */
function unlessTooLarge(check: () => ReturnType<Check>): ReturnType<Check> {
  try {
    return check();
  } catch (error) {
    if (error instanceof ContractError) return UNKNOWN_SCHEMA_FAULTS;
    throw error;
  }
}

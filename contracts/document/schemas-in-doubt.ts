import type { SchemaFaults } from './schema.ts';
import type { Check, SchemaCompiler } from './validation/schema-compiler.ts';

/** What compiles the schemas of a document. */
export type Schemas = Pick<SchemaCompiler, 'compile' | 'accepts' | 'compileReferred'>;

/**
 * Schemas of which others have the last word on what they refuse; those are made when first needed.
 *
 * @param usual refuse at least all that the others do
 */
export function schemasInDoubt(usual: Schemas, makeOthers: () => Schemas): Schemas {
  let made: Schemas | undefined;
  const others = (): Schemas => (made ??= makeOthers());
  return {
    compile: (url): Check => {
      const check = usual.compile(url);
      return (value, text): SchemaFaults => {
        const faults = check(value, text);
        return faults.listed.length === 0 ? faults : others().compile(url)(value, text);
      };
    },
    accepts: (url, value) => usual.accepts(url, value) || others().accepts(url, value),
    compileReferred: () => {
      usual.compileReferred();
    },
  };
}

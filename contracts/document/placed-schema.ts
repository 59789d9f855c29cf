import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { follow, urlOf } from './openapi/openapi-place.ts';
import type { StatedInputs } from './openapi/operation-inputs.ts';
import type { Schemas } from './directions/schemas-in-doubt.ts';
import type { OperationInputs, PlacedSchema } from './schema.ts';

/** The schema at a URL (file and JSON pointer) of files that the compiler knows. */
export function placedSchema(
  compiler: Pick<Schemas, 'accepts'>,
  files: OpenApiDocument['files'],
  url: string,
): PlacedSchema | undefined {
  const place = follow(files, url, url);
  if (place === undefined) return undefined;
  return {
    schema: place.value,
    resolve: (ref) => {
      const target = follow(files, ref, place.file);
      return target === undefined ? undefined : placedSchema(compiler, files, urlOf(target));
    },
    accepts: (value) => compiler.accepts(url, value),
  };
}

/** Inputs of an operation with their schemas in place. */
export function placedInputs(
  compiler: Pick<Schemas, 'accepts'>,
  files: OpenApiDocument['files'],
  { parameters, body }: StatedInputs,
): OperationInputs {
  const at = (url: string | undefined): PlacedSchema | undefined =>
    url === undefined ? undefined : placedSchema(compiler, files, url);
  return {
    parameters: parameters.map((parameter) => ({ ...parameter, schema: at(parameter.schema) })),
    body: body === undefined ? undefined : { ...body, schema: at(body.schema) },
  };
}

import type { GraphQLSchema } from 'graphql'
import { sdlWith } from './sdl.ts'
import { semanticNonNull, semanticNonNullDefinition } from './semanticNonNull.ts'

/** The schema as clients read it: in SDL, with `@semanticNonNull`. */
export const publicSdl = (schema: GraphQLSchema): string =>
  semanticNonNullDefinition +
  sdlWith(schema, { ofField: (name, field) => semanticNonNull(schema.getType(name), field) })

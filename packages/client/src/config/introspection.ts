import type { IntrospectionQuery } from 'graphql'
import { introspectionText } from './generated/introspection.ts'

/** The result of the introspection query, without descriptions. */
export const introspection: IntrospectionQuery = JSON.parse(introspectionText)

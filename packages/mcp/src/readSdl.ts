import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql'
import type { Graph } from './graph.ts'

/**
 * The schema of a graph in SDL, without descriptions, by introspection.
 * @throws Error if the graph refuses that, or cannot be read.
 */
export async function readSdl(graph: Graph): Promise<string> {
  const query = getIntrospectionQuery({ descriptions: false })
  const { data, errors = [] } = await graph.foreignQuery({ query })
  if (!isIntrospection(data)) throw new Error(errors[0]?.message ?? 'The graph has no schema.')
  return printSchema(buildClientSchema(data))
}

const isIntrospection = (data: unknown): data is IntrospectionQuery =>
  typeof data === 'object' && data !== null && '__schema' in data

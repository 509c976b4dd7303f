import type { Route } from './httpRoute.ts'

const pagingParameters = [
  { name: 'pagination.key', type: 'string' },
  { name: 'pagination.offset', type: 'integer' },
  { name: 'pagination.limit', type: 'integer', default: 100 },
  { name: 'pagination.count_total', type: 'boolean', default: true },
  { name: 'pagination.reverse', type: 'boolean', default: true },
].map((parameter) => ({ ...parameter, in: 'query', required: false }))

/** The Swagger 2.0 document of the routes. */
export function swaggerDocument(title: string, routes: readonly Route[]) {
  const paths = routes.map((route) => [
    route.path,
    {
      get: {
        summary: route.summary,
        produces: ['application/json'],
        parameters: [
          ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
            name,
            in: 'path',
            required: true,
            type: 'string',
          })),
          ...(route.filters ?? []).map(filterParameter),
          ...(route.isList ? pagingParameters : []),
        ],
        responses: { 200: { description: 'OK', schema: { type: 'object' } } },
      },
    },
  ])
  return {
    swagger: '2.0',
    info: { title, version: '1.0', description: 'Indexed records of one chain' },
    basePath: '/',
    paths: Object.fromEntries(paths),
  }
}

function filterParameter(name: string) {
  const place = { name, in: 'query', required: false }
  if (name === 'is_signer') return { ...place, type: 'boolean', default: false }
  if (name === 'order_by') return { ...place, type: 'string', enum: ['token_id', 'height'] }
  return name === 'msgs'
    ? { ...place, type: 'array', items: { type: 'string' }, collectionFormat: 'multi' }
    : { ...place, type: 'string' }
}

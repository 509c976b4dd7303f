// The rules of graphql-eslint and of Relay, over the schema that is served. It is a package of its own, so
// that its dependencies are not dependencies of the project. `../package.json` overrides `url-loader` because its next
// major version needs a newer Node; nothing is loaded from a URL here.
import graphql from '@graphql-eslint/eslint-plugin'

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      // Only what can be asked for again has an id. A coin or an event is a part of its record.
      '@graphql-eslint/strict-id-in-types': 'off',
      // Lists that are read whole, such as the messages of a transaction, need no pages. suppressions.json
      // counts one edge whose node is no `Node`: a holder cannot be asked for by itself at an indexer.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
      ],
      // suppressions.json also counts three names that repeat their type's. `chainId` and `routeToken` have the
      // name of the argument that takes them, and `blockTimeSeconds` is the term for it: `timeSeconds` says less.
      '@graphql-eslint/no-typename-prefix': 'error',
    },
  },
]

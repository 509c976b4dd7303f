// Asks for the documents of three builds as their clients do, and writes the data of each. The argument is the URL of the graph.
import { readFileSync } from 'node:fs'
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client/core'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import relay from 'relay-runtime'
import { heads } from './apollo/heads.mjs'
import codegen from './built/js/graphql.js'
import headsQuery from './built/relay/headsQuery.graphql.js'

const [, , url] = process.argv
const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const variables = { first: 2 }

/** What codegen gave the document: `sha256:` and the hash. */
const { hash } = codegen.HeadsDocument.__meta__
const plainHash = hash.replace('sha256:', '')
const [md5] = Object.keys(read('built/md5/persisted-documents.json'))

const post = async (body) => {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' } }
  return (await fetch(url, { ...options, body: JSON.stringify({ ...body, variables }) })).json()
}
const get = async (name, id) => {
  const search = new URLSearchParams({ [name]: id, variables: JSON.stringify(variables) })
  return (await fetch(`${url}?${search}`)).json()
}
const bySha256Hash = (sha256Hash) => post({ extensions: { persistedQuery: { version: 1, sha256Hash } } })

const askWithApollo = async (link, query) =>
  new ApolloClient({ cache: new InMemoryCache(), link: link.concat(new HttpLink({ uri: url })) }).query({
    query,
    variables,
  })

const askWithUrql = async (query, exchanges = []) =>
  new Client({ url, exchanges: [...exchanges, fetchExchange], preferGetMethod: false }).query(query, variables)

/** The network of a Relay app, as its own, since Relay has none. */
const askWithRelay = async (name) => {
  const network = relay.Network.create(({ id }) => post({ [name]: id }))
  const environment = new relay.Environment({ network, store: new relay.Store(new relay.RecordSource()) })
  return { data: await relay.fetchQuery(environment, headsQuery, variables).toPromise() }
}

const ways = {
  'codegen, documentId': () => post({ documentId: hash }),
  'codegen, documentId without its prefix': () => post({ documentId: plainHash }),
  'codegen, documentId in a URL': () => get('documentId', hash),
  'codegen, documentId of an app in Hive': () => post({ documentId: `my-app~1.0.0~${hash}` }),
  'codegen, sha256Hash': () => bySha256Hash(hash),
  'codegen, sha256Hash without its prefix': () => bySha256Hash(plainHash),
  'codegen with MD5, documentId': () => post({ documentId: md5 }),
  'codegen, Apollo Client': () =>
    askWithApollo(new PersistedQueryLink({ generateHash: (query) => query.__meta__.hash }), codegen.HeadsDocument),
  'codegen, urql': () =>
    askWithUrql(codegen.HeadsDocument, [
      persistedExchange({ enforcePersistedQueries: true, generateHash: async (_, query) => query.__meta__.hash }),
    ]),
  'codegen, urql with documentId': () => askWithUrql({ kind: 'Document', definitions: [], documentId: hash }),
  'manifest of Apollo, Apollo Client': () => {
    const ids = generatePersistedQueryIdsFromManifest({ loadManifest: async () => read('built/apollo.json') })
    return askWithApollo(new PersistedQueryLink(ids), heads)
  },
  'Relay, doc_id': () => askWithRelay('doc_id'),
  'Relay, id': () => askWithRelay('id'),
  'Relay, documentId': () => askWithRelay('documentId'),
}

let failed = 0
for (const [way, ask] of Object.entries(ways)) {
  const { data, error, errors } = await ask().catch((fault) => ({ error: fault }))
  const isRight = data?.chain?.blocks?.nodes?.length === 2
  failed += isRight ? 0 : 1
  process.stdout.write(
    `${isRight ? 'ok' : 'FAIL'} ${way}${isRight ? '' : `: ${error ?? JSON.stringify(errors ?? data)}`}\n`,
  )
}
const other = await post({ query: '{ chain { chainId } }' })
const isRefused = other.errors?.[0]?.extensions?.code === 'DOCUMENT_NOT_TRUSTED'
process.stdout.write(`${isRefused ? 'ok' : 'FAIL'} another document is refused\n`)
process.exitCode = failed > 0 || !isRefused ? 1 : 0

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readTrustedDocuments } from '../../../src/app/config/trustedDocuments.ts'

// The files are as these tools wrote them for one query: codegen's client-preset 6.2.0, relay-compiler 21.0.1 and
// @apollo/generate-persisted-query-manifest 1.4.0. test/newcomer runs the tools.

const byCodegen =
  'fragment Row on Block { hash } query Heads($first: Int!) { chain { blocks(first: $first) { nodes { height ...Row } } chainId } }'
const byRelay =
  'query AppHeadsQuery(\n  $first: Int!\n) {\n  chain {\n    chainId\n    blocks(first: $first) {\n      nodes {\n        height\n        hash\n        id\n      }\n    }\n    id\n  }\n}\n'
const byApollo =
  'query Heads($first: Int!) {\n  chain {\n    chainId\n    blocks(first: $first) {\n      nodes {\n        height\n        hash\n        __typename\n      }\n      __typename\n    }\n    __typename\n  }\n}'

const codegenId = 'd17e62ff740224905ceccf5474504486edd69a0d62ff29c27c1a72a2efd31f31'
const apolloId = '485fc99e50d9f5ce1fc8bd95524d3147aafda26084ebfe844545612203c94120'

const manifestOf = (operations: readonly object[]) => ({
  ...{ format: 'apollo-persisted-query-manifest', version: 1 },
  operations,
})
const heads = { id: apolloId, name: 'Heads', type: 'query', body: byApollo }

const json: Record<string, unknown> = {
  'codegen.json': { [`sha256:${codegenId}`]: byCodegen },
  'codegen5.json': { [codegenId]: byCodegen },
  'codegen-md5.json': { '2d7016b44dc0413469ab12f3969ed93f': byCodegen },
  'codegen-sha1.json': { a357b1f2fb306b0f69e6a7ae50a7e0b6b1b8aad4: byCodegen },
  'relay.json': { '7f26007e80529c0e1d38626a0a844683': byRelay },
  'relay-sha256.json': { '483c4942c58b07b44c3ef2316aa463f3aab0e1e07bbd868ed27f7dc10019b34d': byRelay },
  'apollo.json': manifestOf([heads]),
  'none-used.json': {},
  'other-text.json': { [codegenId]: '{ chains { chainId } }' },
  'twice-in-manifest.json': manifestOf([heads, { ...heads, body: '{ chains { chainId } }' }]),
  'same-twice.json': manifestOf([heads, heads]),
  'for-clients.json': { Heads: codegenId, Other: codegenId },
  'nested.json': { [codegenId]: { text: byCodegen } },
  'no-id.json': { '': byCodegen },
  'no-body.json': manifestOf([{ id: apolloId }]),
  'list.json': [byCodegen],
}
const files: Record<string, string> = {
  ...Object.fromEntries(Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)])),
  'mark.json': `\ufeff${JSON.stringify(json['codegen.json'])}`,
  'twice.json': `{"${codegenId}":"{ chains { chainId } }","sha256:${codegenId}":"{ chain { chainId } }"}`,
  'one-key-twice.json': `{"${codegenId}":"{ chains { chainId } }","${codegenId}":"{ chain { chainId } }"}`,
  'text.json': byCodegen,
}

async function read(trustedDocuments: string | undefined, trustedDocumentsOnly = false) {
  const problems: string[] = []
  const readText = async (source: string) => {
    const text = files[source]
    if (text === undefined) throw new Error('no such file')
    return text
  }
  const settings = { trustedDocuments, trustedDocumentsOnly }
  return { texts: await readTrustedDocuments(settings, { readText, problems }), problems }
}

describe.each([
  ['codegen.json', codegenId, byCodegen],
  ['codegen5.json', codegenId, byCodegen],
  ['mark.json', codegenId, byCodegen],
  ['codegen-md5.json', '2d7016b44dc0413469ab12f3969ed93f', byCodegen],
  ['codegen-sha1.json', 'a357b1f2fb306b0f69e6a7ae50a7e0b6b1b8aad4', byCodegen],
  ['relay.json', '7f26007e80529c0e1d38626a0a844683', byRelay],
  ['relay-sha256.json', '483c4942c58b07b44c3ef2316aa463f3aab0e1e07bbd868ed27f7dc10019b34d', byRelay],
  ['apollo.json', apolloId, byApollo],
  ['same-twice.json', apolloId, byApollo],
])('%s', (file, id, text) => {
  test('is read', async () => {
    const { texts, problems } = await read(file)
    expect(problems).toEqual([])
    expect(texts).toEqual(new Map([[id, text]]))
  })

  test('has ids that are hashes of the texts, as its tool made them', () => {
    const algorithm = { 32: 'md5', 40: 'sha1', 64: 'sha256' }[id.length] ?? ''
    expect(createHash(algorithm).update(text).digest('hex')).toBe(id)
  })
})

test('files of several tools and builds are read together', async () => {
  const { texts, problems } = await read('codegen.json, codegen5.json,relay.json,apollo.json, none-used.json')
  expect(problems).toEqual([])
  expect(texts?.size).toBe(3)
})

test.each([
  ['none.json', 'none.json could not be read: no such file.'],
  ['text.json', 'text.json could not be read: it is not JSON.'],
  ['list.json', 'list.json is not a list of documents.'],
  ['no-body.json', 'no-body.json is not a list of documents.'],
  ['no-id.json', 'no-id.json has a document without an id.'],
  ['nested.json', `nested.json has no document for the id '${codegenId}'.`],
  // One fault is enough for a file of another kind.
  ['for-clients.json', "for-clients.json has no document for the id 'Heads'."],
  ['other-text.json', `the id '${codegenId}' has two texts, one in codegen.json, the other in other-text.json.`],
  ['twice-in-manifest.json', `the id '${apolloId}' has two texts, in twice-in-manifest.json.`],
])('an invalid file of trusted documents is reported: %s', async (file, message) => {
  const { problems } = await read(`codegen.json,${file}`)
  expect(problems).toEqual([`TRUSTED_DOCUMENTS: ${message}`])
})

test.each([
  ['twice.json', `sha256:${codegenId}`],
  ['one-key-twice.json', codegenId],
])('an id that a file gives two texts is reported: %s', async (file, id) => {
  const { problems } = await read(file)
  expect(problems).toEqual([`TRUSTED_DOCUMENTS: the id '${id}' has two texts, in ${file}.`])
})

test('trustedDocumentsOnly without documents is a problem', async () => {
  expect((await read(undefined)).problems).toEqual([])
  expect((await read(undefined, true)).problems).toEqual(['TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS.'])
})

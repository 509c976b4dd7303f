import { expect, test } from 'vitest'
import { readTrustedDocuments } from '../../../src/app/config/trustedDocuments.ts'

const files: Record<string, string> = {
  'codegen.json': '{"0f1e":"query A { hello }"}',
  'relay.json': '{"5d41402a":"query B { hello }"}',
  'apollo.json':
    '{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"a1","body":"query C { hello }","name":"C","type":"query"}]}',
  'list.json': '["query D { hello }"]',
  'text.json': 'query E { hello }',
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

test('trusted documents of GraphQL codegen, Relay and Apollo are read', async () => {
  const { texts, problems } = await read('codegen.json, relay.json,apollo.json')
  expect(problems).toEqual([])
  expect(texts).toEqual(
    new Map([
      ['0f1e', 'query A { hello }'],
      ['5d41402a', 'query B { hello }'],
      ['a1', 'query C { hello }'],
    ]),
  )
})

test.each([
  ['none.json', 'none.json could not be read: no such file.'],
  ['text.json', 'text.json could not be read: it is not JSON.'],
  ['list.json', 'list.json is not a list of documents.'],
])('an invalid file of trusted documents is reported: %s', async (file, message) => {
  const { problems } = await read(`codegen.json,${file}`)
  expect(problems).toEqual([`TRUSTED_DOCUMENTS: ${message}`])
})

test('trustedDocumentsOnly without documents is a problem', async () => {
  expect((await read(undefined)).problems).toEqual([])
  expect((await read(undefined, true)).problems).toEqual(['TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS.'])
})

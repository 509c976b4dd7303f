import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { toLiveRecord } from '../src/liveRecord.ts'
import { readFollowed } from '../src/resumeRule.ts'
import { activityDocument, secret } from './support/hook.ts'

const hook = { name: 'a', url: 'https://hooks.example/', secret, document: activityDocument }
const read = (file: object, env: Record<string, string> = {}) =>
  readConfig(JSON.stringify({ url: 'https://graph.example/graphql', ...file }), {
    env,
    readFile: (name) => (name === 'own.graphql' ? 'subscription { chainHeads { height } }' : ''),
  })

test('a file of hooks is read, with values of the environment and documents of files', () => {
  const { url, hooks, rules } = read(
    {
      url: 'env:GRAPH',
      hooks: [
        { ...hook, variables: { address: 'init1' }, secret: ['env:NEW', secret] },
        { name: 'chat', url: 'env:CHAT', template: 'telegram', chatId: -7, document: 'own.graphql' },
      ],
    },
    { GRAPH: 'https://g.example/graphql', NEW: secret, CHAT: 'https://api.telegram.org/bot1:x/sendMessage' },
  )
  expect(url).toBe('https://g.example/graphql')
  expect(rules).toEqual({ allowsPrivate: false, ports: [] })
  expect(hooks[0]).toMatchObject({ name: 'a', secrets: [secret, secret], variables: { address: 'init1' } })
  expect(hooks[0]?.followed.rule).toMatchObject({ cursor: 'activity.cursor', variable: 'after' })
  expect(hooks[1]).toMatchObject({ secrets: [], chatId: '-7', document: 'subscription { chainHeads { height } }' })
})

test.each([
  [{}, 'a list `hooks`'],
  [{ hooks: [] }, 'a list `hooks`'],
  [{ hooks: [hook, hook] }, 'a name of its own'],
  [{ hooks: [hook], more: 1 }, 'unknown part `more`'],
  [{ hooks: [{ ...hook, name: '../a' }] }, 'letters, digits'],
  [{ hooks: [{ ...hook, speed: 1 }] }, 'unknown part `speed`'],
  [{ hooks: [{ ...hook, url: 'http://hooks.example/' }] }, 'needs https'],
  [{ hooks: [{ ...hook, secret: undefined }] }, 'needs a `secret`'],
  [{ hooks: [{ ...hook, secret: 'short' }] }, '24 to 64 random bytes'],
  [{ hooks: [{ ...hook, secret: 'env:NONE' }] }, 'no NONE'],
  [{ hooks: [{ ...hook, template: 'irc' }] }, 'slack, discord, telegram'],
  [{ hooks: [{ ...hook, template: 'telegram' }] }, '`chatId`'],
  [{ hooks: [{ ...hook, document: '{ chains { chainId } }' }] }, 'one subscription'],
  [{ hooks: [{ ...hook, document: 'subscription { blocks(chainId: "a") { cursor } }' }] }, '`cursor`, `node { id }`'],
])('a wrong file is refused (%j)', (file, reason) => {
  expect(() => read(file)).toThrow(reason)
})

test('a document with other names and fragments is followed by them', () => {
  const document = `subscription ($from: String) { own: blocks(chainId: "a", after: $from) { ...Event } }
    fragment Event on LiveBlockEvent { cursor ... on LiveBlockEvent { node { id } notice { kind } } }`
  expect(readFollowed(document)).toEqual({
    ...{ field: 'own', subscription: 'blocks', hasNode: true },
    start: {
      document: 'query StartingPoint { chain(chainId: "a") { blocks(first: 1) { edges { cursor } } } }',
      variables: [],
    },
    rule: { cursor: 'own.cursor', variable: 'from', notice: 'own.notice', kind: 'own.notice.kind' },
  })
})

test('steps of bridge transfers have no node: what they say names them, whatever their cursor is', () => {
  const followed = readFollowed(`subscription ($address: Address!, $after: String) {
    bridgeTransfers(address: $address, after: $after) { cursor bridgeTransfers { summary } notice { kind } }
  }`)
  const idOf = (cursor: string, summary: string) =>
    toLiveRecord(
      'a',
      followed,
      { kind: 'data', data: { bridgeTransfers: { cursor, bridgeTransfers: [{ summary }] } } },
      cursor,
    )?.id
  expect(idOf('1', 'Sent 5 INIT')).toBe(idOf('2', 'Sent 5 INIT'))
  expect(idOf('1', 'Sent 5 INIT')).not.toBe(idOf('1', 'Sent 6 INIT'))
})

test('the first time, a subscription begins at the cursor of the same arguments', () => {
  const { start } = readFollowed(`subscription ($who: Address!, $on: [ChainId!], $after: String) {
    activity(address: $who, chainIds: $on, after: $after) { cursor node { id } notice { kind } }
  }`)
  expect(start).toEqual({
    document:
      'query StartingPoint($who: Address!, $on: [ChainId!]) { account(address: $who) { activity(first: 1, filter: { chainIds: $on }) { liveCursor } } }',
    variables: ['who', 'on'],
  })
})

import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { readFollowed } from '../src/followed.ts'
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
  expect(hooks[1]).toMatchObject({ secrets: [], chatId: '-7', followed: { subscription: 'chainHeads' } })
})

test.each([
  [{}, '`hooks` has to be a list of hooks.'],
  [{ hooks: {} }, '`hooks` has to be a list of hooks.'],
  [{ hooks: [] }, '`hooks` is empty'],
  [{ hooks: [hook], url: 7 }, '`url` has to be a text.'],
  [{ hooks: [hook], url: 'env:NONE' }, 'The environment has no NONE.'],
  [{ hooks: [hook], allowPrivate: 'true' }, '`allowPrivate` has to be true or false, without quotes.'],
  [{ hooks: [hook], ports: ['x'] }, '`ports[0]` has to be a number.'],
  [{ hooks: [hook], ports: [8443.5] }, '`ports[0]` has to be a number'],
  [{ hooks: [hook], ports: [70_000] }, '`ports[0]` is no port.'],
  [{ hooks: [hook], ports: 8443 }, '`ports` has to be a list of numbers.'],
  [{ hooks: [hook, hook] }, 'Two hooks have the name a.'],
  [{ hooks: [hook], more: 1 }, 'The file of hooks has an unknown part `more`.'],
  [{ hooks: [{ ...hook, name: '../a' }] }, '`hooks[0].name` has letters, digits'],
  [{ hooks: [{ ...hook, name: undefined }] }, '`hooks[0].name` has to be a text.'],
  [{ hooks: [hook, { ...hook, speed: 1 }] }, '`hooks[1]` has an unknown part `speed`.'],
  [{ hooks: [{ ...hook, variables: [] }] }, '`hooks[0].variables` has to be an object.'],
  [{ hooks: [{ ...hook, secret: [7] }] }, '`hooks[0].secret` has to be a text, or a list of texts.'],
  [{ hooks: [{ ...hook, chatId: true }] }, '`hooks[0].chatId` has to be a text or a number.'],
  [{ hooks: ['a'] }, '`hooks[0]` has to be an object.'],
  [{ hooks: [{ ...hook, url: 'http://hooks.example/' }] }, 'needs https'],
  [{ hooks: [{ ...hook, secret: undefined }] }, 'needs a `secret`'],
  [{ hooks: [{ ...hook, secret: 'short' }] }, '24 to 64 random bytes'],
  [{ hooks: [{ ...hook, secret: 'env:NONE' }] }, 'no NONE'],
  [{ hooks: [{ ...hook, template: 'irc' }] }, '`hooks[0].template` is one of slack, discord, telegram.'],
  [{ hooks: [{ ...hook, template: 'telegram' }] }, '`chatId`'],
  [{ hooks: [{ ...hook, document: '{ chains { chainId } }' }] }, 'one subscription'],
  [
    { hooks: [{ ...hook, document: 'subscription { blocks(chainId: "a", after: "b") { cursor } }' }] },
    'a variable as `after`',
  ],
])('a wrong file is refused (%j)', (file, reason) => {
  expect(() => read(file)).toThrow(reason)
})

test('a file that is not JSON is refused, and all faults of a file are said at once', () => {
  const sources = { env: {}, readFile: () => '' }
  expect(() => readConfig('{', sources)).toThrow('JSON')
  expect(() => readConfig('[]', sources)).toThrow('The file of hooks has to be an object.')
  expect(() => read({ hooks: [{ ...hook, speed: 1, url: 7 }] })).toThrow(
    '`hooks[0].url` has to be a text.\n`hooks[0]` has an unknown part `speed`.',
  )
})

test('a document that has all that is needed, with other names and fragments, is sent as it is', () => {
  const document = `subscription ($from: String) { own: blocks(chainId: "a", after: $from) { ...Event } }
    fragment Event on LiveBlockEvent { cursor ... on LiveBlockEvent { node { id } notice { kind } } }`
  const { field, subscription, document: sent, rule, start } = readFollowed(document)
  expect({ field, subscription, sent }).toEqual({ field: 'own', subscription: 'blocks', sent: document })
  expect(start).toEqual({
    document: 'query StartingPoint { chain(chainId: "a") { blocks(first: 1) { edges { cursor } } } }',
    variables: [],
  })
  expect(rule).toEqual({
    ...{ cursor: 'own.cursor', variable: 'from', notice: 'own.notice', kind: 'own.notice.kind' },
  })
})

test.each([
  ['cursor', 'place: cursor node { id } notice { kind }'],
  ['record', 'cursor node { number: id } notice { kind }'],
  ['record', 'cursor node @include(if: true) { id } notice { kind }'],
  ['record', 'cursor ... @skip(if: false) { node { id } } notice { kind }'],
  ['notice', 'cursor node { id } notice { message }'],
])('what a document lacks is added under a name of its own (%s: %s)', (part, selection) => {
  const { document, rule } = readFollowed(
    `subscription ($after: String) { activity(address: "a", after: $after) { ${selection} } }`,
  )
  expect(document).toContain(`portolan_${part}: `)
  expect(document.match(/portolan_/g)).toHaveLength(1)
  expect(rule.variable).toBe('after')
})

test('a document without `after` gets a variable for it, also in a fragment', () => {
  const { document, rule, start } = readFollowed(
    'subscription ($who: Address!) { ...All } fragment All on Subscription { activity(address: $who) { cursor node { id } notice { kind } } }',
  )
  expect(document).toContain('subscription ($who: Address!, $portolan_after: String)')
  expect(document).toContain('activity(address: $who, after: $portolan_after)')
  expect(rule.variable).toBe('portolan_after')
  expect(start?.variables).toEqual(['who'])
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

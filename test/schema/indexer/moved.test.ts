import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { afterAll, expect, test } from 'vitest'
import { transfersOf } from '../../../packages/words/src/balanceChanges/evmTransfers.ts'
import { coinTransfersOf, eventLogsOf } from '../../support/atOnce.ts'
import { fakeChain } from '../../support/testServer.ts'
import { chainIds, type Data, startWorld, testOfPlainRecords } from '../../support/world.ts'

const plainTest = testOfPlainRecords()

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const hash = (declaration: string) => `0x${bytesToHex(keccak_256(utf8ToBytes(declaration)))}`
const transfer = hash('Transfer(address,address,uint256)')
const single = hash('TransferSingle(address,address,address,uint256,uint256)')
const batch = hash('TransferBatch(address,address,address,uint256[],uint256[])')

const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
const topic = (value: number | bigint) => `0x${word(value)}`
const address = (value: number) => `0x${value.toString(16).padStart(40, '0')}`
const log = (topics: string[], ...words: (number | bigint)[]) => ({
  ...{ address: address(9), topics, logIndex: 0n, removed: false },
  data: `0x${words.map(word).join('')}`,
})

const max = 2n ** 256n - 1n

test('transfersOf reads the logs of ERC-20, ERC-721 and ERC-1155', () => {
  const moved = { contract: address(9), from: address(1), to: address(2) }
  expect(transfersOf(log([transfer, topic(1), topic(2)], max))).toEqual([
    { ...moved, standard: 'ERC20', amount: max, tokenId: null },
  ])
  expect(transfersOf(log([transfer, topic(1), topic(2), topic(max)]))).toEqual([
    { ...moved, standard: 'ERC721', amount: 1n, tokenId: max },
  ])
  expect(transfersOf(log([single, topic(5), topic(1), topic(2)], 7, 8))).toEqual([
    { ...moved, standard: 'ERC1155', amount: 8n, tokenId: 7n },
  ])
  expect(transfersOf(log([batch, topic(5), topic(1), topic(2)], 64, 160, 2, 7, 8, 2, 70, 80))).toEqual([
    { ...moved, standard: 'ERC1155', amount: 70n, tokenId: 7n },
    { ...moved, standard: 'ERC1155', amount: 80n, tokenId: 8n },
  ])
})

test('minted tokens have no sender, and burned tokens no recipient', () => {
  const [minted] = transfersOf(log([transfer, topic(0), topic(2)], 1))
  const [burned] = transfersOf(log([transfer, topic(1), topic(0)], 1))
  expect([minted?.from, minted?.to]).toEqual([null, address(2)])
  expect([burned?.from, burned?.to]).toEqual([address(1), null])
})

const parties = [topic(5), topic(1), topic(2)]

test.each([
  ['another event', log([hash('Approval(address,address,uint256)'), topic(1), topic(2)], 1)],
  ['no topic', log([], 1)],
  ['no amount', log([transfer, topic(1), topic(2)])],
  ['a short topic', log([transfer, '0x1', topic(2)], 1)],
  ['data that is not hex', { ...log([transfer, topic(1), topic(2)]), data: '0xzz' }],
  ['a batch without data', log([batch, ...parties])],
  ['arrays of different lengths', log([batch, ...parties], 64, 128, 1, 7, 2, 70, 80)],
  ['an array longer than the data', log([batch, ...parties], 64, 128, max, 7, max, 70)],
  ['an offset beyond the data', log([batch, ...parties], max, max)],
  ['an offset amid a word', log([batch, ...parties], 65, 65, 1, 7)],
])('a log with %s has no transfers', (_what, odd) => {
  expect(transfersOf(odd)).toEqual([])
})

const event = (...attributes: [string, string][]) => ({
  type: 'transfer',
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
})

test('events with several transfers, several coins or none are read', () => {
  const chain = fakeChain('any-1', async () => null)
  const events = [
    event(['recipient', 'b'], ['sender', 'a'], ['amount', '5uinit,7ibc/AB']),
    event(['recipient', 'c'], ['amount', '1x'], ['recipient', 'd'], ['amount', '2y']),
    event(['recipient', 'c'], ['sender', 'a'], ['amount', '']),
    event(['recipient', 'c'], ['sender', 'a'], ['amount', 'nothing, -5x']),
    { ...event(['recipient', 'c'], ['sender', 'a'], ['amount', '9x']), type: 'coin_received' },
  ]
  const moved = coinTransfersOf(chain, events)
  const coin = (amount: bigint, denom: string) => ({ chainId: 'any-1', amount, denom })
  expect(moved).toEqual([
    { chain, sender: 'a', recipient: 'b', coins: [coin(5n, 'uinit'), coin(7n, 'ibc/AB')] },
    { chain, sender: null, recipient: 'c', coins: [coin(1n, 'x')] },
    { chain, sender: null, recipient: 'd', coins: [coin(2n, 'y')] },
  ])
})

plainTest('transfers of transactions match their events and logs', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 60) { nodes {
      coinTransfers { sender { bech32Address } recipient { bech32Address } coins { denom amount } }
      events(types: ["transfer"]) { attributes { key value } }
    } }
    evmTransactions(first: 60) { nodes {
      tokenTransfers { standard contract { address } from { address } to { address } amount tokenId }
      logs { topics }
    } }
  } }`)
  for (const { coinTransfers, events } of chain.transactions.nodes) {
    const texts = events.map(({ attributes }: Data) =>
      ['sender', 'recipient', 'amount'].map((key) => attributes.find((a: Data) => a.key === key).value),
    )
    expect(
      coinTransfers.map(({ sender, recipient, coins }: Data) => [
        ...[sender.bech32Address, recipient.bech32Address],
        coins.map(({ amount, denom }: Data) => `${amount}${denom}`).join(),
      ]),
    ).toEqual(texts)
  }
  const standards = new Set<string>()
  for (const { tokenTransfers, logs } of chain.evmTransactions.nodes) {
    for (const { standard } of tokenTransfers) standards.add(standard)
    const first = logs.find(({ topics }: Data) => topics[0] === transfer)
    if (first) expect(tokenTransfers[0].to.address).toBe(`0x${first.topics[2].slice(26)}`)
  }
  expect(standards).toEqual(new Set(['ERC20', 'ERC721', 'ERC1155']))
})

plainTest('a token listed by the router has its asset and a formatted amount', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") {
    evmTransactions(first: 60) { nodes { tokenTransfers {
      standard amount denom asset { symbol decimals } formattedAmount usdValue
    } } }
  } }`)
  const moves: Data[] = chain.evmTransactions.nodes.flatMap(({ tokenTransfers }: Data) => tokenTransfers)
  const known = moves.filter(({ standard }) => standard === 'ERC20')
  expect(known.length).toBeGreaterThan(0)
  const symbols = new Set<string | null>()
  for (const { amount, asset, formattedAmount, usdValue } of known) {
    symbols.add(asset && `${asset.symbol} of ${asset.decimals} decimal places`)
    if (!asset) {
      expect([formattedAmount, usdValue]).toEqual([null, null])
      continue
    }
    const [whole, fraction = ''] = formattedAmount.split('.')
    expect(BigInt(`${whole}${fraction.padEnd(asset.decimals, '0')}`)).toBe(BigInt(amount))
    expect(Number(usdValue)).toBeGreaterThan(0)
  }
  // The fee token, the hub's coin in both of its forms, and the shares of an exchange, which the router does not list.
  const places = ['GAL of 18', 'INIT of 18', 'INIT of 6'].map((each) => `${each} decimal places`)
  expect(symbols).toEqual(new Set([...places, null]))
  expect(moves.filter(({ standard, asset }) => standard !== 'ERC20' && asset)).toEqual([])
})

plainTest('tokenTransfers of a Cosmos transaction equal those of its EVM transaction', async () => {
  const tokens = `tokenTransfers {
    standard contract { address } from { address } to { address } denom amount tokenId
  }`
  const document = (joined: string) => `{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 60) { nodes { ${tokens} ${joined} } }
  } }`
  const { sent } = await world.trace(document(''))
  expect(sent).toHaveLength(1)
  const { chain } = await world.data(document(`evmTransaction { ${tokens} }`))
  let count = 0
  for (const { tokenTransfers, evmTransaction } of chain.transactions.nodes) {
    expect(tokenTransfers).toEqual(evmTransaction?.tokenTransfers ?? [])
    count += tokenTransfers.length
  }
  expect(count).toBeGreaterThan(10)
})

test.each(['', '{', 'null', '{"address":1}', '{"address":"0x1","topics":"0x2","data":"0x"}'])(
  'an event with the log %j has no transfers',
  (value) => {
    const attributes = [{ key: 'log', value, index: true }]
    expect(eventLogsOf([{ type: 'evm', attributes }])).toEqual([])
  },
)

plainTest('signatures, modes, multisig, timeout, tip and extensions match the record', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 90) { nodes {
      hash signatures timeoutHeight tip { amount { denom amount } tipper { bech32Address } }
      extensionOptions nonCriticalExtensionOptions
      signers { signMode multisig { threshold keys { typeUrl key } } }
    } }
  } }`)
  const records = await world.rows(chainIds.EVM, '/indexer/tx/v1/txs')
  const seen = new Set<string>()
  for (const [i, node] of chain.transactions.nodes.entries()) {
    const { body, auth_info: auth, signatures } = records[i].tx
    const [signer] = auth.signer_infos
    const keys = signer.public_key.public_keys
    expect(node).toEqual({
      hash: records[i].txhash,
      signatures,
      timeoutHeight: Number(body.timeout_height) || null,
      tip: auth.tip && { amount: auth.tip.amount, tipper: { bech32Address: auth.tip.tipper } },
      extensionOptions: [],
      nonCriticalExtensionOptions: body.non_critical_extension_options,
      signers: [
        {
          signMode: signer.mode_info.single?.mode ?? null,
          multisig: keys
            ? {
                threshold: signer.public_key.threshold,
                keys: keys.map((each: Data) => ({ typeUrl: each['@type'], key: each.key })),
              }
            : null,
        },
      ],
    })
    if (node.tip) seen.add('tip')
    if (node.timeoutHeight) seen.add('timeout')
    if (node.nonCriticalExtensionOptions.length > 0) seen.add('extension')
    seen.add(String(node.signers[0].signMode))
  }
  expect(seen).toEqual(new Set(['tip', 'timeout', 'extension', 'null', 'SIGN_MODE_DIRECT', 'SIGN_MODE_ETHEREUM']))
})

test('latestBlock is the first block of the list, in one request', async () => {
  const { data, sent } = await world.trace(
    '{ chain { latestBlock { height hash } blocks(first: 1) { nodes { height hash } } } }',
  )
  expect(data.chain.latestBlock).toEqual(data.chain.blocks.nodes[0])
  expect(sent).toHaveLength(2)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxChains } from '../src/chains.ts'
import { startSandbox } from '../src/sandbox.ts'
import { createWorld } from '../src/world/world.ts'
import { end, packetKey, type Told, toldBy, worldOf, worlds } from './support/chronicle.ts'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const told = worlds.flatMap((world) => toldBy(world, 1))
const channels = { 'galley-1': 'channel-20', 'lantern-1': 'channel-21' } as const

/** The events of a type, by the key of their packet. */
function packetsBy(type: string, from: readonly Told[] = told): ReadonlyMap<string, Told> {
  return new Map(from.filter((one) => one.type === type).map((one) => [packetKey(one), one]))
}

const byType = new Map([...new Set(told.map(({ type }) => type))].map((type): [string, Told[]] => [type, []]))
for (const one of told) byType.get(one.type)?.push(one)
const eventsBy = (type: string): readonly Told[] => byType.get(type) ?? []

/** The packets between two chains of the sandbox that are old enough to have ended. */
const sent = told.filter(
  ({ type, attributes, timeMs }) =>
    type === 'send_packet' &&
    Object.values<string | undefined>(channels).some((channel) =>
      [attributes.packet_src_channel, attributes.packet_dst_channel].includes(channel),
    ) &&
    timeMs < end - 600_000,
)

const [received, written, acknowledged, late] = [
  'recv_packet',
  'write_acknowledgement',
  'acknowledge_packet',
  'timeout_packet',
].map((type) => packetsBy(type))

/** The data of a packet, in the form that the version of the chain writes. */
const dataOf = (at: Told | undefined) =>
  at?.attributes.packet_data ?? Buffer.from(`${at?.attributes.packet_data_hex}`, 'hex').toString()

/** The acknowledgement of a packet by the receiving chain. */
const answerOf = (key: string) => Buffer.from(`${written?.get(key)?.attributes.packet_ack_hex}`, 'hex').toString()

/** The other events of the transaction of an event. */
const byHash = new Map<string, Told[]>()
for (const one of told) byHash.set(one.hash, [...(byHash.get(one.hash) ?? []), one])
const beside = ({ hash }: Told) => byHash.get(hash) ?? []

/** What the events of the bank module say that an account got in a transaction. */
const gotIn = (one: Told | undefined, account: string) =>
  one &&
  beside(one).find(({ type, attributes }) => type === 'coin_received' && attributes.receiver === account)?.attributes

test('every packet between two chains of the sandbox arrives on the other one, or comes too late', () => {
  expect(sent.length).toBeGreaterThan(200)
  for (const one of sent) {
    const key = packetKey(one)
    const there = received?.get(key)
    const isLate = late?.has(key)
    expect(there === undefined, key).toBe(isLate)
    const end = isLate ? late?.get(key) : acknowledged?.get(key)
    expect(end?.chainId, key).toBe(one.chainId)
    expect(end?.timeMs).toBeGreaterThan(there?.timeMs ?? one.timeMs)
    if (isLate) {
      expect(end?.timeMs).toBeGreaterThan(Number(BigInt(one.attributes.packet_timeout_timestamp ?? 0) / 1_000_000n))
      continue
    }
    expect(there?.chainId).not.toBe(one.chainId)
    const seconds = ((there?.timeMs ?? 0) - one.timeMs) / 1_000
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(30)
    expect(dataOf(there)).toBe(dataOf(one))
    expect(written?.get(key)?.chainId, key).toBe(there?.chainId)
  }
})

/** Whether a packet says in its memo that its coins go on. */
const asksForForward = (one: Told) => dataOf(one).includes('{\\"forward\\"')

/** Whether a packet is one of two, over a chain between. */
const isForward = (one: Told) => asksForForward(one) || beside(one).some(({ type }) => type === 'recv_packet')

test('a refused packet gives no coins on one chain, and gives them back on the other', () => {
  const refused = sent.filter((one) => answerOf(packetKey(one)).includes('error') && !isForward(one))
  const forms = new Set<string>()
  for (const one of refused) {
    const key = packetKey(one)
    const { sender, receiver, amount } = JSON.parse(dataOf(one))
    const there = received?.get(key)
    expect(gotIn(there, receiver)).toBeUndefined()
    const isInText = written?.get(key)?.attributes.packet_ack !== undefined
    const tellers = there
      ? beside(there)
          .map(({ type }) => type)
          .filter((type) => type.endsWith('fungible_token_packet'))
      : []
    expect(tellers).toEqual([isInText ? 'fungible_token_packet' : 'ibccallbackerror-fungible_token_packet'])
    forms.add(`${there?.chainId} ${isInText ? 'text' : 'hex'}`)
    const back = acknowledged?.get(key)
    expect(gotIn(back, sender)?.amount).toMatch(new RegExp(`^${amount}\\D`))
    expect(
      back && beside(back).some(({ type, attributes }) => type === 'fungible_token_packet' && attributes.error),
    ).toBe(true)
  }
  expect([...forms].toSorted()).toEqual(['galley-1 hex', 'harbor-1 text', 'lantern-1 text'])
})

test('a packet that nobody received in time gives its coins back, in the words of both versions', () => {
  const forms = new Set<string>()
  for (const one of sent.filter((each) => late?.has(packetKey(each)))) {
    const { sender, amount } = JSON.parse(dataOf(one))
    const end = late?.get(packetKey(one))
    expect(gotIn(end, sender)?.amount).toMatch(new RegExp(`^${amount}\\D`))
    const refund = end && beside(end).find(({ type }) => type === 'timeout')?.attributes
    expect(refund?.refund_receiver ?? refund?.receiver).toBe(sender)
    expect(refund?.refund_amount ?? JSON.parse(refund?.refund_tokens ?? '{}').amount).toBe(amount)
    forms.add(`${one.chainId} ${Object.keys(refund ?? {}).filter((name) => name.startsWith('refund_'))}`)
  }
  expect([...forms].toSorted()).toEqual([
    'galley-1 refund_tokens',
    'harbor-1 refund_receiver,refund_denom,refund_amount',
    'lantern-1 refund_receiver,refund_denom,refund_amount',
  ])
})

test('a packet is sent on over the hub in one transaction, and acknowledged after the second packet', () => {
  const ways = new Set<string>()
  for (const one of sent.filter((each) => asksForForward(each))) {
    const { amount, sender, receiver } = JSON.parse(dataOf(one))
    const there = received?.get(packetKey(one))
    expect(gotIn(there, receiver)).toBeDefined()
    const second = there && beside(there).find(({ type }) => type === 'send_packet')
    const key = second ? packetKey(second) : ''
    const far = received?.get(key)
    const isRefused = answerOf(key).includes('error')
    ways.add(`${[one, there, far].map((at) => at?.chainId).join(' ')} ${isRefused ? 'refused' : 'kept'}`)
    expect(there && beside(there).some(({ type }) => type === 'write_acknowledgement')).toBe(false)
    const between = acknowledged?.get(key)
    expect(written?.get(packetKey(one))?.hash).toBe(between?.hash)
    expect(answerOf(packetKey(one))).toBe(answerOf(key))
    // The chain between tells of the second packet by the acknowledgement of the first one alone.
    const toldBetween = between ? beside(between) : []
    expect(toldBetween.some(({ type }) => type === 'fungible_token_packet')).toBe(false)
    expect(toldBetween.filter(({ type }) => type === 'burn').length).toBe(isRefused ? 1 : 0)
    expect(gotIn(between, receiver)).toBeUndefined()
    expect(gotIn(far, JSON.parse(dataOf(second)).receiver) !== undefined).toBe(!isRefused)
    const back = gotIn(acknowledged?.get(packetKey(one)), sender)?.amount
    if (isRefused) expect(back).toMatch(new RegExp(`^${amount}\\D`))
    else expect(back).toBeUndefined()
  }
  expect([...ways].toSorted()).toEqual([
    'galley-1 harbor-1 lantern-1 kept',
    'galley-1 harbor-1 lantern-1 refused',
    'lantern-1 harbor-1 galley-1 kept',
    'lantern-1 harbor-1 galley-1 refused',
  ])
})

test('a packet with a call is told with the call', () => {
  const called = sent.filter((one) => /"(move|evm|wasm)"|\\"(move|evm|wasm)\\"/.test(dataOf(one)))
  expect(new Set(called.map((one) => received?.get(packetKey(one))?.chainId)).size).toBe(3)
})

/** The fields of a message in protobuf, in order. */
function fieldsOf(hex: string): readonly (readonly [field: number, value: bigint | Buffer])[] {
  const buffer = Buffer.from(hex, 'hex')
  const fields: [number, bigint | Buffer][] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer.readUInt8(at++)
      value += BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < buffer.length) {
    const tag = Number(varint())
    const number = varint()
    const isText = tag % 8 === 2
    fields.push([tag >> 3, isText ? buffer.subarray(at, at + Number(number)) : number])
    if (isText) at += Number(number)
  }
  return fields
}

test('packets of IBC v2 go between clients, with all of the packet in each event', () => {
  const clientKey = ({ attributes: { packet_source_client, packet_dest_client, packet_sequence } }: Told) =>
    `${packet_source_client} ${packet_dest_client} ${packet_sequence}`
  const ends = new Set<string>()
  const begun = eventsBy('send_packet').filter(
    ({ attributes, timeMs }) => attributes.packet_source_client && timeMs < end - 60_000,
  )
  expect(begun.length).toBeGreaterThan(4)
  for (const one of begun) {
    const { packet_source_client, packet_dest_client, packet_sequence, encoded_packet_hex = '' } = one.attributes
    const [here, there, answer, back] = [
      'send_packet',
      'recv_packet',
      'write_acknowledgement',
      'acknowledge_packet',
    ].map((type) => eventsBy(type).filter((each) => clientKey(each) === clientKey(one)))
    for (const same of [here, there, answer, back]) {
      expect(same?.map(({ attributes }) => attributes.encoded_packet_hex)).toEqual([encoded_packet_hex])
    }
    const fields = fieldsOf(encoded_packet_hex).map(([field, value]) => [field, `${value}`] as const)
    expect(fields.slice(0, 3)).toEqual([
      [1, packet_sequence],
      [2, packet_source_client],
      [3, packet_dest_client],
    ])
    expect(Number(fields[3]?.[1]) * 1_000).toBeGreaterThan(one.timeMs)
    const payload = fieldsOf(encoded_packet_hex).find(([field]) => field === 5)?.[1]
    const data = payload instanceof Buffer ? `${fieldsOf(payload.toString('hex')).at(-1)?.[1]}` : ''
    const { sender, receiver, amount } = JSON.parse(data)
    const [, said] = fieldsOf(`${answer?.[0]?.attributes.encoded_acknowledgement_hex}`)[0] ?? []
    const isRefused = said instanceof Buffer && said.length === 32
    if (!isRefused) expect(`${said}`).toBe('{"result":"AQ=="}')
    expect(gotIn(there?.[0], receiver) !== undefined).toBe(!isRefused)
    const returned = gotIn(back?.[0], sender)?.amount
    if (isRefused) expect(returned).toMatch(new RegExp(`^${amount}\\D`))
    else expect(returned).toBeUndefined()
    ends.add(`${one.chainId} ${there?.[0]?.chainId} ${isRefused ? 'refused' : 'kept'}`)
  }
  expect([...ends].toSorted()).toEqual(['galley-1 harbor-1 kept', 'harbor-1 galley-1 refused'])
})

test('sequences count up on each channel and client, and none comes twice', () => {
  const last = new Map<string, number>()
  const keys = new Set<string>()
  for (const world of worlds) {
    let height = 0
    for (const one of toldBy(world, 1).filter(({ type }) => type === 'send_packet')) {
      const { packet_src_channel, packet_source_client, packet_sequence: sequence } = one.attributes
      const path = `${one.chainId} ${packet_src_channel ?? packet_source_client}`
      // Packets of one block have no order.
      if (one.height > height) expect(Number(sequence)).toBeGreaterThan(last.get(path) ?? 0)
      last.set(path, Math.max(Number(sequence), last.get(path) ?? 0))
      height = one.height
      expect(keys.has(`${path} ${sequence}`)).toBe(false)
      keys.add(`${path} ${sequence}`)
    }
  }
})

test('a transaction of a story has one place, whatever it is asked by', () => {
  for (const { chain, transactions, fixtures, transactionsAt, findTransaction, height } of worlds) {
    const { rank, at } = transactions.byAccount(fixtures.traveller.hex, false)
    const count = rank(transactions.lastAt(height()))
    expect(count, chain.chainId).toBeGreaterThan(20)
    let last = 0
    for (let n = 1; n <= count; n++) {
      const position = at(n)
      expect(position).toBeGreaterThan(last)
      expect(rank(position)).toBe(n)
      expect(rank(position - 1)).toBe(n - 1)
      last = position
      const record = transactions.record(position)
      expect(record.txhash).toBe(transactions.hashOf(position))
      expect(transactions.find(record.txhash)).toBe(position)
      const summary = findTransaction(record.txhash)
      expect(String(summary?.height)).toBe(record.height)
      expect(transactionsAt(Number(record.height))[summary?.index ?? -1]?.hash).toBe(record.txhash)
      expect(JSON.stringify(record.events)).toContain(fixtures.traveller.bech32)
    }
  }
})

test('positions, heights and hashes agree for all transactions of many blocks', () => {
  for (const { transactions, transactionsAt, height } of worlds) {
    for (let at = height() - 300; at <= height(); at++) {
      const here = transactionsAt(at)
      expect(here.length).toBe(transactions.lastAt(at) - transactions.lastAt(at - 1))
      for (const [index, { hash }] of here.entries()) {
        const position = transactions.lastAt(at - 1) + index + 1
        expect(transactions.find(hash)).toBe(position)
        expect(transactions.record(position)).toMatchObject({ txhash: hash, height: String(at) })
      }
    }
  }
})

test('the network of a young chain has no stories yet, and its traffic is that of the workload', () => {
  const { chain } = worldOf('harbor-1')
  const young = createWorld(chain, 'portolan', () => chain.genesis + 3_600_000)
  expect(young.transactions.lastAt(young.height())).toBe(
    young.traffic.find(young.traffic.hashOf(young.transactions.lastAt(young.height()))),
  )
  for (let position = 1; position <= 50; position++) {
    expect(young.transactions.record(position)).toEqual(young.traffic.record(position))
  }
})

const bridges: Readonly<Record<string, string>> = { 'galley-1': '1', 'lantern-1': '2' }

test('every deposit comes to its rollup, or goes back as a withdrawal of the same transaction', () => {
  const finalized = eventsBy('finalize_token_deposit')
  const ends = new Set<string>()
  const deposits = eventsBy('initiate_token_deposit').filter(({ timeMs }) => timeMs < end - 60_000)
  expect(deposits.length).toBeGreaterThan(40)
  for (const { attributes: sentAttributes, timeMs } of deposits) {
    const matches = finalized.filter(
      ({ chainId, attributes }) =>
        bridges[chainId] === sentAttributes.bridge_id && attributes.l1_sequence === sentAttributes.l1_sequence,
    )
    expect(matches).toHaveLength(1)
    const [there] = matches
    const { from, to, l1_denom, l2_denom, amount } = sentAttributes
    expect(there?.attributes).toMatchObject({
      sender: from,
      recipient: to,
      base_denom: l1_denom,
      denom: l2_denom,
      amount,
    })
    expect(there?.timeMs).toBeGreaterThan(timeMs)
    const reason = there?.attributes.reason?.split(';')[0] ?? 'success'
    const back = there && beside(there).find(({ type }) => type === 'initiate_token_withdrawal')
    expect(back !== undefined).toBe(reason === 'deposit failed')
    expect(gotIn(there, to ?? '') !== undefined).toBe(reason !== 'deposit failed')
    if (back) expect(back.attributes).toMatchObject({ from: to, to: from, amount })
    ends.add(`${there?.chainId} ${reason}`)
  }
  expect(ends.size).toBe(6)
})

test('messages of the bridges send migrated coins as packets, without events of the bridges', () => {
  const ways = new Set<string>()
  for (const one of sent.filter((each) => dataOf(each).includes('"utide"') || dataOf(each).includes('/utide"'))) {
    const { receiver, sender, amount, memo } = JSON.parse(dataOf(one))
    const types = beside(one).map(({ type }) => type)
    expect(types.some((type) => type.startsWith('initiate_token_'))).toBe(false)
    const [action] = beside(one).flatMap(({ type, attributes }) =>
      type === 'message' && attributes.action ? [attributes.action] : [],
    )
    const there = received?.get(packetKey(one))
    const handled = there && beside(there).find(({ type }) => type === 'handle_migrated_token_deposit')?.attributes
    // The first of them is the fee.
    const paid = beside(one).filter(({ type }) => type === 'coin_spent')[1]?.attributes
    expect(paid).toMatchObject({ spender: sender, amount: expect.stringMatching(new RegExp(`^${amount}\\D`)) })
    if (handled) {
      expect(handled).toMatchObject({ receiver, amount: expect.stringMatching(new RegExp(`^${amount}l2/`)) })
      const coins = there ? beside(there).filter(({ type }) => type === 'coin_received') : []
      expect(coins.at(-1)?.attributes).toMatchObject({ receiver, amount: handled.amount })
    } else expect(gotIn(there, receiver)?.amount).toBe(`${amount}utide`)
    ways.add(`${one.chainId} ${there?.chainId} ${action?.replace(/.*\./, '')} ${memo}`)
  }
  expect([...ways].toSorted()).toEqual([
    'galley-1 harbor-1 MsgInitiateTokenWithdrawal forwarded from opchild module',
    'harbor-1 galley-1 MsgInitiateTokenDeposit forwarded from ophost module',
    'harbor-1 lantern-1 MsgInitiateTokenDeposit forwarded from ophost module',
    'lantern-1 harbor-1 MsgInitiateTokenWithdrawal forwarded from opchild module',
  ])
})

/** Where an output is deleted, if it is. The output after it has its index again. */
const deletionOf = (output: Told | undefined) =>
  output &&
  eventsBy('delete_output').find(
    ({ attributes, timeMs }) =>
      attributes.bridge_id === output.attributes.bridge_id &&
      attributes.output_index === output.attributes.output_index &&
      timeMs > output.timeMs &&
      timeMs < output.timeMs + 60_000,
  )

test('withdrawals are claimed after the challenge period of the first output with them that lasts, or left', () => {
  const [outputs, claims] = [eventsBy('propose_output'), eventsBy('finalize_token_withdrawal')]
  const keys = new Set<string>()
  let claimed = 0
  let late = 0
  const withdrawals = eventsBy('initiate_token_withdrawal').filter(({ timeMs }) => timeMs < end - 600_000)
  for (const one of withdrawals) {
    const bridge = bridges[one.chainId]
    const sequence = one.attributes.l2_sequence
    keys.add(`${bridge} ${sequence}`)
    const [first, second] = outputs.filter(
      ({ attributes }) => attributes.bridge_id === bridge && Number(attributes.l2_block_number) >= one.height,
    )
    const output = deletionOf(first) ? second : first
    expect(output).toBeDefined()
    const claim = claims.find(
      ({ attributes }) => attributes.bridge_id === bridge && attributes.l2_sequence === sequence,
    )
    if (!claim) continue
    claimed += 1
    if (output === second) late += 1
    expect(claim.attributes.output_index).toBe(output?.attributes.output_index)
    expect(claim.timeMs).toBeGreaterThanOrEqual((output?.timeMs ?? Infinity) + 60_000)
    const { from, to, amount, denom, base_denom } = one.attributes
    expect(claim.attributes).toMatchObject({ from, to, amount, l2_denom: denom, l1_denom: base_denom })
  }
  expect(keys.size).toBe(withdrawals.length)
  expect(claimed).toBeGreaterThan(5)
  expect(late).toBeGreaterThan(3)
  expect(claimed - late).toBeGreaterThan(5)
  expect(withdrawals.length - claimed).toBeGreaterThan(5)
})

test('the indexes of outputs count up, and one that is deleted is given again', () => {
  for (const bridge of Object.values(bridges)) {
    const outputs = eventsBy('propose_output').filter(({ attributes }) => attributes.bridge_id === bridge)
    for (const [index, output] of outputs.slice(1).entries()) {
      const before = outputs[index]
      const step = deletionOf(before) ? 0 : 1
      expect(Number(output.attributes.output_index)).toBe(Number(before?.attributes.output_index) + step)
      expect(Number(output.attributes.l2_block_number)).toBeGreaterThan(Number(before?.attributes.l2_block_number))
    }
    const deleted = eventsBy('delete_output').filter(({ attributes }) => attributes.bridge_id === bridge)
    expect(deleted.length).toBe(outputs.filter(deletionOf).length)
    expect(deleted.length).toBeGreaterThan(1)
  }
})

test('the traveller has at least 200 movements, over all chains and in both directions', async () => {
  const begun = ['send_packet', 'initiate_token_deposit', 'initiate_token_withdrawal']
  const ways = new Map<string, number>()
  for (const { chain, transactions, fixtures, height } of worlds) {
    const series = transactions.byAccount(fixtures.traveller.hex, false)
    for (let n = 1; n <= series.rank(transactions.lastAt(height())); n++) {
      for (const { type } of transactions.record(series.at(n)).events.filter(({ type }) => begun.includes(type))) {
        ways.set(`${chain.chainId} ${type}`, (ways.get(`${chain.chainId} ${type}`) ?? 0) + 1)
      }
    }
  }
  expect([...ways.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200)
  expect([...ways.keys()].toSorted()).toEqual([
    'galley-1 initiate_token_withdrawal',
    'galley-1 send_packet',
    'harbor-1 initiate_token_deposit',
    'harbor-1 send_packet',
    'lantern-1 initiate_token_withdrawal',
    'lantern-1 send_packet',
  ])
  await using sandbox = await startSandbox({ clock: () => end })
  expect(sandbox.traveller).toBe(worldOf('harbor-1').fixtures.traveller.hex)
  expect(readme).toContain(`\`${sandbox.traveller}\``)
})

test('each indexer names the channels and the bridge over which its chain reaches the others', async () => {
  await using sandbox = await startSandbox({ clock: () => end })
  const named = new Map(sandbox.indexers.map((indexer) => [indexer.chainId, indexer]))
  const used = new Map<string, string>()
  for (const one of sent) {
    const { packet_src_port: portId, packet_src_channel: channelId } = one.attributes
    const there = received?.get(packetKey(one))
    if (there) used.set(`${one.chainId} ${portId} ${channelId}`, there.chainId)
  }
  const listed = sandbox.indexers.flatMap(({ chainId, ibcChannels }) =>
    ibcChannels.map((channel) => [`${chainId} ${channel.portId} ${channel.channelId}`, channel.chainId]),
  )
  expect(listed.toSorted()).toEqual([...used].toSorted())
  expect([...named.values()].map(({ opInitBridgeId }) => opInitBridgeId)).toEqual([undefined, '1', '2'])
  const deposits = eventsBy('initiate_token_deposit')
  for (const { chainId, attributes } of eventsBy('finalize_token_deposit')) {
    const sentTo = deposits.find(({ attributes: { l1_sequence } }) => l1_sequence === attributes.l1_sequence)
    if (sentTo) expect(sentTo.attributes.bridge_id).toBe(named.get(chainId)?.opInitBridgeId)
  }
  expect([...named.values()].map(({ opInitFinalizationSeconds }) => opInitFinalizationSeconds)).toEqual([60, 60, 60])
})

test('a chain alone has no channels and no bridge', async () => {
  const { chain } = worldOf('galley-1')
  await using sandbox = await startSandbox({ clock: () => end, chains: [chain] })
  expect(sandbox.indexers).toMatchObject([
    { ibcChannels: [], opInitBridgeId: undefined, opInitFinalizationSeconds: undefined },
  ])
})

test('a rollup without a number of its bridge has its place among the rollups', async () => {
  const chains = sandboxChains.map(({ bridgeId: _, ...chain }) => chain)
  await using sandbox = await startSandbox({ clock: () => end, chains })
  expect(sandbox.indexers.map(({ opInitBridgeId }) => opInitBridgeId)).toEqual([undefined, '1', '2'])
  expect(sandbox.indexers.map(({ ibcChannels }) => ibcChannels.map(({ channelId }) => channelId))).toEqual([
    ['channel-20', 'channel-21'],
    ['channel-0'],
    ['channel-0'],
  ])
})

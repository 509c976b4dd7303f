import { expect, test } from 'vitest'
import { contract, first, minute, now, openNetwork, place, play, user } from '../../../support/storyNetwork.ts'
import { arrival, departure, ending } from '../../../support/writtenMovements.ts'

// A contract sends coins for a user. If they are not delivered, they go back to the contract.

const packet = { ...first, sender: contract }
const sent = departure(packet, place(now - 3 * minute))
const byUser = {
  ...sent,
  messages: [{ '@type': '/cosmwasm.wasm.v1.MsgExecuteContract', sender: user, contract, msg: { send: {} }, funds: [] }],
}

const selection = 'guidance { code funds sentence nextStep returnsTo { chainId } }'

test.each(['refused', 'late'] as const)('what is %s is back in the contract, and not with the user', async (end) => {
  await using network = await openNetwork()
  const arrived = end === 'refused' ? [arrival(packet, place(now - 2 * minute), 'refused')] : []
  const [begun] = play(network.chains, [byUser, ...arrived, ending(packet, place(now - minute), end)])
  const hash = begun?.hash ?? ''
  network.chains.statuses.set(hash, {
    ...{ state: 'STATE_COMPLETED_ERROR', transfer_asset_release: null },
    transfer_sequence: [
      {
        ibc_transfer: {
          ...{ from_chain_id: 'roll-1', to_chain_id: 'hub-1', state: 'TRANSFER_FAILURE' },
          packet_txs: { send_tx: { chain_id: 'roll-1', tx_hash: hash } },
        },
      },
    ],
  })
  const { chain, transfer } = await network.ask(`{
    chain(chainId: "roll-1") { transaction(hash: "${hash}") { ... on Transaction {
      bridgeTransfers { refund { address } ${selection} } } } }
    transfer(chainId: "roll-1", hash: "${hash}") { ${selection} } }`)
  const [movement] = chain.transaction.bridgeTransfers
  expect(movement.refund.address).toBe(contract)
  for (const { guidance } of [movement, transfer]) {
    expect(guidance).toMatchObject({
      ...{ code: 'RETURNED', funds: 'RETURNED' },
      sentence: 'Not delivered. The funds went back to the contract that sent them on Roll.',
    })
    expect(guidance.nextStep).toMatch(/^Look at that contract/)
  }
})

test('what an account sent itself is back in it', async () => {
  await using network = await openNetwork()
  const [begun] = play(network.chains, [
    departure(first, place(now - 3 * minute)),
    arrival(first, place(now - 2 * minute), 'refused'),
    ending(first, place(now - minute), 'refused'),
  ])
  const { chain } = await network.ask(`{ chain(chainId: "roll-1") { transaction(hash: "${begun?.hash}") {
    ... on Transaction { bridgeTransfers { ${selection} } } } } }`)
  expect(chain.transaction.bridgeTransfers).toMatchObject([
    { guidance: { sentence: 'Not delivered. The funds are back on Roll.', nextStep: 'Look at your account on Roll.' } },
  ])
})

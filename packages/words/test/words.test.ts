import { expect, test } from 'vitest'
import { event, marked } from '../../sandbox/src/world/events.ts'
import { balanceChanges, knownDenoms, tellTransaction } from '../src/words.ts'

const [alice, bob] = ['cosmos1syavy2npfyt9tcncdtsdzf7kny9lh777pahuux', 'cosmos1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3pahzj0']
const amount = '1500000uatom'
const events = [event('coin_spent', { spender: alice, amount }), event('coin_received', { receiver: bob, amount })].map(
  (each) => marked(each, 'msg_index', 0),
)
const send = {
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: alice,
  to_address: bob,
  amount: [{ denom: 'uatom', amount: '1500000' }],
}
const response = (code: number) => ({
  tx: { body: { messages: [send] } },
  tx_response: { code, events: code === 0 ? events : [] },
})

test('amounts of listed assets are in whole units, and others in base units', () => {
  const assets = [{ denom: 'uatom', symbol: 'ATOM', decimals: 6 }]
  const [listed] = tellTransaction(response(0), { assets }).actions
  expect(listed).toMatchObject({ kind: 'SEND', title: 'Coin transfer', isSuccessful: true })
  expect(listed?.summary).toMatch(/^Sent 1\.5 ATOM to cosmos1/)
  expect(listed?.parts).toEqual([
    { text: 'Sent ' },
    { text: '1.5 ATOM', names: { amount: { denom: 'uatom', amount: 1_500_000n } } },
    { text: ' to ' },
    { text: `cosmos1${bob?.slice(7, 13)}…${bob?.slice(-6)}`, names: { address: bob } },
  ])
  const [unlisted] = tellTransaction(response(0)).actions
  expect(unlisted?.summary).toMatch(/^Sent 1500000 base units of uatom to cosmos1/)
})

test('the changes of one account are those of all of its spellings', () => {
  const { changes } = tellTransaction(response(0), { account: alice })
  expect(changes).toMatchObject([{ denom: 'uatom', amount: -1_500_000n, kind: 'COIN' }])
})

test('a failed transaction changes nothing', () => {
  const { actions, changes } = tellTransaction(response(5))
  expect(actions).toMatchObject([{ title: 'Failed coin transfer', isSuccessful: false }])
  expect(changes).toEqual([])
})

test('events alone have changes, with the denoms of a list of assets', () => {
  const known = knownDenoms([{ denom: 'uatom' }])
  expect(balanceChanges(events, { known }).map(({ amount }) => amount)).toEqual([-1_500_000n, 1_500_000n])
})

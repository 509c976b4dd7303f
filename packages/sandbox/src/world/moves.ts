import { type CoinMove, moduleAccount, type SandboxCoin } from './coins.ts'
import { bridgedAmount, type Fixtures } from './fixtures.ts'
import { interchainAccount, receiveFormOf } from './ibcReceive.ts'
import { amountOf, partiesOf } from './parties.ts'
import { partsOf, type Shape } from './shape.ts'

/** The kind of a transaction that sends coins, of those that wallets have. */
export type SendForm = 'send' | 'multiSend' | 'severalCoins' | 'exec' | 'grantFees' | 'grant'

/** The form of a transaction that sends coins. */
export function sendFormOf({ variant, calls, token }: Shape): SendForm {
  if (variant !== 2) return 'send'
  if (calls === 1) return 'multiSend'
  if (calls === 2) return 'severalCoins'
  return calls === 3 ? 'exec' : token % 2 ? 'grantFees' : 'grant'
}

/** The kind of a delegator's transaction. */
export type StakeForm = 'delegate' | 'undelegate' | 'redelegate' | 'vote'

/** The form of a transaction of a delegator. */
export function stakeFormOf({ variant, calls }: Shape): StakeForm {
  if (variant !== 2 || calls === 4) return 'delegate'
  return calls === 1 ? 'undelegate' : calls === 2 ? 'redelegate' : 'vote'
}

/**
 * What the bank module moves in each message of a transaction, in order. Contracts move tokens without the
 * bank module.
 */
export function movesOf(fixtures: Fixtures, shape: Shape): readonly (readonly CoinMove[])[] {
  const { chain, bridgedDenom } = fixtures
  const [sender] = partiesOf(fixtures, shape)
  const amount = amountOf(fixtures, shape)
  const coin: SandboxCoin = { denom: chain.denom, amount }
  const bridged: SandboxCoin = { denom: bridgedDenom, amount: bridgedAmount(fixtures, amount) }
  const account = (name: string) => moduleAccount(fixtures, name)

  switch (shape.kind) {
    case 'send':
      return [sendMoves(fixtures, shape, coin)]
    case 'delegate':
      return [stakeMoves(fixtures, shape, coin)]
    case 'claim':
      return [amount, amount / 3n].map((reward) => [
        { from: account('distribution'), to: sender, coins: [{ ...coin, amount: reward }] },
      ])
    case 'ibcTransfer':
      return [[{ from: sender, to: account('escrow'), coins: [coin] }]]
    case 'receive':
      return [[], receivedMoves(fixtures, shape, { coin, bridged })]
    case 'deposit':
      return [[{ from: sender, to: account('bridge'), coins: [coin] }]]
    case 'withdraw':
      return [
        [
          { from: sender, to: account('opchild'), coins: [bridged] },
          { from: account('opchild'), coins: [bridged] },
        ],
      ]
    case 'settle':
      return partsOf(shape).map(({ moves }) => moves)
    default:
      return [[]]
  }
}

/** What a packet moves that a relayer delivers. */
function receivedMoves(
  fixtures: Fixtures,
  shape: Shape,
  { coin, bridged }: Readonly<Record<'coin' | 'bridged', SandboxCoin>>,
): readonly CoinMove[] {
  const { isHub } = fixtures.chain
  const [, peer] = partiesOf(fixtures, shape)
  const [minter, escrow] = ['transfer', 'escrow'].map((name) => moduleAccount(fixtures, name))
  if (!minter || !escrow) return []
  switch (receiveFormOf(shape)) {
    case 'refused':
    case 'repeat':
      return []
    case 'account':
      return [{ from: interchainAccount(fixtures), to: peer, coins: [coin] }]
    default:
      return [
        // What comes back to a rollup was in escrow. What arrives at the hub is made there.
        ...(isHub ? [{ to: minter, coins: [bridged] }] : []),
        { from: isHub ? minter : escrow, to: peer, coins: [bridged] },
      ]
  }
}

function sendMoves(fixtures: Fixtures, shape: Shape, coin: SandboxCoin): readonly CoinMove[] {
  const [sender, peer] = partiesOf(fixtures, shape)
  switch (sendFormOf(shape)) {
    case 'send':
      return [{ from: sender, to: peer, coins: [coin] }]
    case 'severalCoins': {
      const few = bridgedAmount(fixtures, coin.amount / 7n)
      const coins = [coin, { denom: fixtures.bridgedDenom, amount: few }]
      return [{ from: sender, to: peer, coins }]
    }
    case 'multiSend': {
      const half = coin.amount / 2n
      const rest = coin.amount - half
      return [
        { from: sender, to: peer, coins: [{ ...coin, amount: half }] },
        { from: sender, to: fixtures.dex, coins: [{ ...coin, amount: rest }] },
      ]
    }
    case 'exec':
      // The signer sends coins of the peer, who allowed it.
      return [{ from: peer, to: sender, coins: [coin] }]
    case 'grantFees':
    case 'grant':
      return []
  }
}

function stakeMoves(fixtures: Fixtures, shape: Shape, coin: SandboxCoin): readonly CoinMove[] {
  const [sender] = partiesOf(fixtures, shape)
  const [bonded, unbonding] = ['bonded', 'notBonded'].map((name) => moduleAccount(fixtures, name))
  if (!bonded || !unbonding) return []
  switch (stakeFormOf(shape)) {
    case 'delegate':
      return [{ from: sender, to: bonded, coins: [coin] }]
    case 'undelegate':
      return [{ from: bonded, to: unbonding, coins: [coin] }]
    case 'redelegate':
    case 'vote':
      return []
  }
}

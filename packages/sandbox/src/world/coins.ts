import { type Account, makeAccount } from '../address.ts'
import { memoize } from '../memoize.ts'
import { erc20Contract } from '../router/assets.ts'
import { type Event, event } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import { type LogDraft, transferLog, zeroAddress } from './logs.ts'
import { deposited, metadataOf, primaryStore, supplyEvent, withdrawn } from './moveStores.ts'

/** An amount of a denom, in base units. */
export interface SandboxCoin {
  readonly denom: string
  readonly amount: bigint
}

/** Coins that the bank module moves. They are new without `from`, and burnt without `to`. */
export interface CoinMove {
  readonly from?: Account
  readonly to?: Account
  readonly coins: readonly SandboxCoin[]
}

/** The account of a module of the chain, such as that of the IBC transfers. */
export const moduleAccount = ({ chain }: Fixtures, name: string): Account =>
  accountOfModule(`${chain.bech32Prefix} ${chain.chainId} ${name}`)

const accountOfModule = memoize(500, (key: string): Account => {
  const [prefix = '', chainId = '', name = ''] = key.split(' ')
  return makeAccount(prefix, 20, 'module', chainId, name)
})

/** The coins as one text, such as `5uinit,7ibc/…`. */
const coinsText = (coins: readonly SandboxCoin[]): string =>
  coins.map(({ amount, denom }) => `${amount}${denom}`).join(',')

/** The logs of the contracts of the coins. */
export const logsOfMoves = (fixtures: Fixtures, moves: readonly CoinMove[]): LogDraft[] =>
  moves.flatMap(({ from, to, coins }) =>
    coins.map(({ denom, amount }) =>
      transferLog(
        erc20Contract(fixtures.chain.chainId, denom),
        from?.hex ?? zeroAddress,
        to?.hex ?? zeroAddress,
        amount,
      ),
    ),
  )

/** The events of coins that the bank module moves: those of the virtual machine, then those of the module. */
export const coinEvents = (fixtures: Fixtures, height: number, moves: readonly CoinMove[]): readonly Event[] =>
  moves.flatMap((move) => [...machineEvents(fixtures, height, move), ...bankEvents(move)])

/**
 * The events of a fee, which come before those of the messages. On an EVM chain they are those of the bank
 * module alone here, since the receipts of the sandbox have the logs of messages only.
 */
export const feeMoveEvents = (fixtures: Fixtures, height: number, move: CoinMove): readonly Event[] =>
  fixtures.chain.vm === 'evm' ? bankEvents(move) : coinEvents(fixtures, height, [move])

/** Whether a block is one of those whose Move events name owners. */
export const namesOwners = (height: number): boolean => height % 3 !== 0

function machineEvents(fixtures: Fixtures, height: number, move: CoinMove): readonly Event[] {
  switch (fixtures.chain.vm) {
    case 'move':
      return storeEvents(move, namesOwners(height))
    case 'evm':
      return logsOfMoves(fixtures, [move]).flatMap((log) => [
        event('call', { contract: log.address }),
        event('evm', { log: JSON.stringify(log) }),
      ])
    case 'wasm':
      return []
  }
}

const storeEvents = ({ from, to, coins }: CoinMove, hasOwners: boolean): readonly Event[] =>
  coins.flatMap(({ denom, amount }) => {
    const metadata = metadataOf(denom)
    return [
      ...(from
        ? withdrawn(primaryStore(from, metadata), metadata, amount, hasOwners)
        : [supplyEvent('Mint', metadata, amount)]),
      ...(to
        ? deposited(primaryStore(to, metadata), metadata, amount, hasOwners)
        : [supplyEvent('Burn', metadata, amount)]),
    ]
  })

/** The events that the bank module itself emits for a move. */
function bankEvents({ from, to, coins }: CoinMove): readonly Event[] {
  const amount = coinsText(coins)
  const [spender, receiver] = [from?.bech32, to?.bech32]
  return [
    ...(spender ? [event('coin_spent', { spender, amount })] : []),
    ...(receiver ? [event('coin_received', { receiver, amount })] : []),
    ...(spender && receiver
      ? [event('transfer', { recipient: receiver, sender: spender, amount }), event('message', { sender: spender })]
      : []),
    ...(receiver && !spender ? [event('coinbase', { minter: receiver, amount })] : []),
    ...(spender && !receiver ? [event('burn', { burner: spender, amount })] : []),
  ]
}

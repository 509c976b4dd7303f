import type { Account } from '../address.ts'
import { hexDigest, itemAt } from '../random.ts'
import { erc20Contract } from '../router/assets.ts'
import { logsOfMoves } from './coins.ts'
import type { Fixtures } from './fixtures.ts'
import {
  approvalLog,
  callData,
  type LogDraft,
  nftTransferLog,
  swapLog,
  transferLog,
  voucherLogs,
  zeroAddress,
} from './logs.ts'
import { movesOf } from './moves.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

/** The call that a transaction makes to the EVM, and its result. */
export interface Effects {
  /** Empty if a contract is created. */
  readonly to: string
  readonly contractAddress: string | null
  readonly value: bigint
  readonly input: string
  readonly logs: readonly LogDraft[]
}

/** The EVM side of a transaction. A failed one has no logs and creates no contract. */
export function effectsOf(fixtures: Fixtures, shape: Shape): Effects {
  const effects = intended(fixtures, shape)
  return shape.failed ? { ...effects, contractAddress: null, logs: [] } : effects
}

function intended(fixtures: Fixtures, shape: Shape): Effects {
  const [sender, peer] = partiesOf(fixtures, shape)
  const created = { to: '', value: 0n }

  switch (shape.kind) {
    case 'createCollection': {
      const { address, tokens } = itemAt(fixtures.collections, shape.collection)
      const logs = tokens.map(({ tokenId, firstOwner }) =>
        nftTransferLog(address.hex, zeroAddress, itemAt(fixtures.users, firstOwner).hex, tokenId),
      )
      return { ...created, contractAddress: address.hex, input: bytecode(address.hex), logs }
    }
    case 'deploy': {
      const contractAddress = `0x${hexDigest(20, sender.hex, peer.hex, 'deploy', shape.token)}`
      return { ...created, contractAddress, input: bytecode(contractAddress), logs: [] }
    }
    case 'transferNft': {
      const { address, tokens } = itemAt(fixtures.collections, shape.collection)
      const { tokenId } = itemAt(tokens, shape.token)
      const parties = [sender.hex, peer.hex] as const
      return called(address.hex, {
        input: callData('transferFrom(address,address,uint256)', ...parties, BigInt(tokenId)),
        logs: [nftTransferLog(address.hex, ...parties, tokenId)],
      })
    }
    case 'execute':
      return callEffects(fixtures, shape)
    default: {
      // The bank module of an EVM chain keeps balances in contracts.
      const logs = logsOfMoves(fixtures, movesOf(fixtures, shape).flat())
      return called(logs[0]?.address ?? peer.hex, { input: '0x', logs })
    }
  }
}

const called = (to: string, effects: Pick<Effects, 'input' | 'logs'> & Partial<Effects>): Effects => ({
  to,
  contractAddress: null,
  value: 0n,
  ...effects,
})

/** A call to a token, to an exchange, or one that only sends the fee token. */
function callEffects(fixtures: Fixtures, shape: Shape): Effects {
  const [sender, peer] = partiesOf(fixtures, shape)
  const { token, dex, chain } = fixtures
  const amount = amountOf(fixtures, shape)
  if (shape.variant === 0) return tokenCall(token.hex, [sender, peer], amount, shape.calls)
  if (shape.variant === 1) {
    const logs = [
      transferLog(token.hex, sender.hex, dex.hex, amount),
      transferLog(dex.hex, dex.hex, peer.hex, amount),
      swapLog(dex.hex, sender.hex, peer.hex, amount),
      ...voucherLogs(dex.hex, peer.hex, amount),
    ]
    return called(dex.hex, { input: callData('swap(uint256)', amount), logs })
  }
  // A call of which nothing but the selector is known.
  if (shape.calls === 4) return called(dex.hex, { input: callData('poke()'), logs: [] })
  const logs = [transferLog(erc20Contract(chain.chainId, chain.denom), sender.hex, peer.hex, amount)]
  return called(peer.hex, { value: amount, input: '0x', logs })
}

/** A call to an ERC-20 contract. */
function tokenCall(
  token: string,
  [{ hex: sender }, { hex: peer }]: readonly [Account, Account],
  amount: bigint,
  calls: number,
): Effects {
  if (calls === 2) {
    return called(token, {
      input: callData('approve(address,uint256)', peer, amount),
      logs: [approvalLog(token, sender, peer, amount)],
    })
  }
  if (calls === 3) {
    return called(token, {
      input: callData('transferFrom(address,address,uint256)', peer, sender, amount),
      logs: [transferLog(token, peer, sender, amount)],
    })
  }
  return called(token, {
    input: callData('transfer(address,uint256)', peer, amount),
    logs: [transferLog(token, sender, peer, amount)],
  })
}

function bytecode(address: string): string {
  return `0x6080604052${hexDigest(32, 'code', address)}${hexDigest(32, 'tail', address)}`
}

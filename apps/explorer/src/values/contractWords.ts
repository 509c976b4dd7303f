/**
 * Functions of common contracts, by the first four bytes of their call data. They are names, no proof: any contract can
 * have a function of the same selector.
 */
export const functions: Readonly<Record<string, string>> = {
  '0xa9059cbb': 'transfer(address,uint256)',
  '0x23b872dd': 'transferFrom(address,address,uint256)',
  '0x095ea7b3': 'approve(address,uint256)',
  '0x70a08231': 'balanceOf(address)',
  '0x18160ddd': 'totalSupply()',
  '0xdd62ed3e': 'allowance(address,address)',
  '0x313ce567': 'decimals()',
  '0x95d89b41': 'symbol()',
  '0x06fdde03': 'name()',
  '0x6352211e': 'ownerOf(uint256)',
  '0xc87b56dd': 'tokenURI(uint256)',
  '0x081812fc': 'getApproved(uint256)',
  '0xe985e9c5': 'isApprovedForAll(address,address)',
  '0x01ffc9a7': 'supportsInterface(bytes4)',
  '0x42842e0e': 'safeTransferFrom(address,address,uint256)',
  '0xb88d4fde': 'safeTransferFrom(address,address,uint256,bytes)',
  '0xf242432a': 'safeTransferFrom(address,address,uint256,uint256,bytes)',
  '0x2eb2c2d6': 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  '0xa22cb465': 'setApprovalForAll(address,bool)',
  '0xd0e30db0': 'deposit()',
  '0x2e1a7d4d': 'withdraw(uint256)',
  '0x40c10f19': 'mint(address,uint256)',
  '0xa0712d68': 'mint(uint256)',
  '0x6a627842': 'mint(address)',
  '0x42966c68': 'burn(uint256)',
  '0x9dc29fac': 'burn(address,uint256)',
  '0xd505accf': 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  '0xac9650d8': 'multicall(bytes[])',
  '0xb61d27f6': 'execute(address,uint256,bytes)',
  '0x94b918de': 'swap(uint256)',
  '0x022c0d9f': 'swap(uint256,uint256,address,bytes)',
  '0x38ed1739': 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  '0x0902f1ac': 'getReserves()',
  '0x4e71d92d': 'claim()',
  '0xa694fc3a': 'stake(uint256)',
  '0x8da5cb5b': 'owner()',
  '0xf2fde38b': 'transferOwnership(address)',
}

/** Events of common contracts, by their first topic. */
export const events: Readonly<Record<string, string>> = {
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': 'Transfer(address,address,uint256)',
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': 'Approval(address,address,uint256)',
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31': 'ApprovalForAll(address,address,bool)',
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62':
    'TransferSingle(address,address,address,uint256,uint256)',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb':
    'TransferBatch(address,address,address,uint256[],uint256[])',
  '0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b': 'URI(string,uint256)',
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': 'Deposit(address,uint256)',
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': 'Withdrawal(address,uint256)',
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822':
    'Swap(address,uint256,uint256,uint256,uint256,address)',
  '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1': 'Sync(uint112,uint112)',
  '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f': 'Mint(address,uint256,uint256)',
  '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496': 'Burn(address,uint256,uint256,address)',
  '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0': 'OwnershipTransferred(address,address)',
  '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b': 'Upgraded(address)',
  '0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258': 'Paused(address)',
  '0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa': 'Unpaused(address)',
  '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d': 'RoleGranted(bytes32,address,address)',
  '0xf6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b': 'RoleRevoked(bytes32,address,address)',
  '0xc7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2': 'Initialized(uint64)',
}

const nameIn = (signature: string | undefined) => signature?.replace(/\(.*$/, '')

/** The function that call data calls: its name, or the selector of an unknown one. Undefined without call data. */
export function functionOf(input: string): string | undefined {
  if (input.length < 10) return undefined
  const selector = input.slice(0, 10)
  return nameIn(functions[selector.toLowerCase()]) ?? selector
}

/** The name of the event of a log. Undefined for an unknown one. */
export const eventOf = (topics: readonly string[] | null | undefined): string | undefined =>
  nameIn(events[topics?.[0]?.toLowerCase() ?? ''])

/** Whether the number in a log of a token is an amount of it. */
export const hasAmount = (topics: readonly string[] | null | undefined): boolean =>
  ['Transfer', 'Approval'].includes(eventOf(topics) ?? '')

/** A value in a log, as far as its form tells what it is. */
export interface LogValue {
  readonly kind: 'address' | 'number' | 'bytes'
  readonly text: string
}

/** Addresses are above this number, and amounts below it, but for values that nobody meets. */
const leastAddress = 1n << 120n

/** The values of a log after the name of its event: its other topics, then each 32 bytes of its data. */
export function valuesOf({ topics, data }: { topics?: readonly string[] | null; data: string }): readonly LogValue[] {
  const words = data.slice(2).match(/[\da-f]{64}/gi) ?? []
  return [...(topics ?? []).slice(1), ...words.map((word) => `0x${word}`)].map(readWord)
}

function readWord(word: string): LogValue {
  const value = BigInt(word)
  if (value < leastAddress) return { kind: 'number', text: value.toString() }
  if (value >> 160n === 0n) return { kind: 'address', text: `0x${word.slice(-40)}` }
  return { kind: 'bytes', text: word }
}

interface ChainEvent {
  readonly type: string
  readonly attributes?: readonly { readonly key: string; readonly value: string }[] | null
}

/** The events of a Cosmos transaction that a contract made: of CosmWasm by its address, of Move by its module. */
export function eventsOf<Event extends ChainEvent>(
  events: readonly Event[] | null | undefined,
  addresses: readonly string[],
): readonly Event[] {
  const spellings = addresses.map((address) => address.toLowerCase())
  return (events ?? []).filter(({ attributes }) =>
    attributes?.some(
      ({ key, value }) =>
        (key === '_contract_address' && spellings.includes(value.toLowerCase())) ||
        (key === 'type_tag' && spellings.includes(value.toLowerCase().split('::')[0] ?? '')),
    ),
  )
}

import { createWalletClient, defineChain, erc20Abi, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** An account of EVM chains. */
export function evmAccount(privateKey, { rpcUrlOf }) {
  const account = privateKeyToAccount(privateKey)
  const clientOf = (chainId) => {
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const rpcUrls = { default: { http: [rpcUrlOf(chainId)] } }
    const chain = defineChain({ id: Number(chainId), name: chainId, nativeCurrency, rpcUrls })
    return createWalletClient({ account, chain, transport: http() }).extend(publicActions)
  }
  return {
    address: account.address,
    // viem asks the node for chain id, nonce, fee and gas, and returns once the node has the transaction.
    evm: (chainId, { to, value, data }) => clientOf(chainId).sendTransaction({ to, value, data }),
    async receipt(chainId, hash) {
      const { status } = await clientOf(chainId).waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error('It was reverted.')
    },
    allowance(chainId, { tokenContract, spender }) {
      const call = { address: tokenContract, abi: erc20Abi, functionName: 'allowance' }
      return clientOf(chainId).readContract({ ...call, args: [account.address, spender] })
    },
  }
}

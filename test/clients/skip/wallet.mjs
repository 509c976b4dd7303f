import { fromHex, toBech32 } from '@cosmjs/encoding'
import { createWalletClient, custom, decodeFunctionData, encodeAbiParameters, erc20Abi } from 'viem'
import { mainnet } from 'viem/chains'

/** The account of all tests, as an EVM address. The sandbox gives it ether on Ethereum. */
export const account = `0x${'5'.repeat(40)}`

/** The address of the same account on a chain of the router. */
export function addressOn({ chainType, bech32Prefix }) {
  return chainType === 'evm' ? account : toBech32(bech32Prefix, fromHex(account.slice(2)))
}

/**
 * An Ethereum wallet with a table in place of a node. It sends nothing, collects the transactions to
 * sign in `signed`, and returns `hash` for each of them.
 */
export function walletStub(hash) {
  const signed = []
  const approved = new Map()
  const block = { number: '0x10', baseFeePerGas: '0x3b9aca00', timestamp: '0x1', transactions: [] }
  const responses = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => block.number,
    eth_getBlockByNumber: () => block,
    eth_maxPriorityFeePerGas: () => '0x3b9aca00',
    eth_estimateGas: () => '0x30d40',
    eth_call: ({ to, data }) => {
      const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
      if (functionName !== 'allowance') throw new Error(`Not an allowance: ${functionName}.`)
      return encodeAbiParameters([{ type: 'uint256' }], [approved.get(`${to}/${args[1]}`) ?? 0n])
    },
    eth_sendTransaction: (transaction) => {
      signed.push(transaction)
      if (transaction.data.startsWith('0x095ea7b3')) {
        const { args } = decodeFunctionData({ abi: erc20Abi, data: transaction.data })
        approved.set(`${transaction.to}/${args[0]}`, args[1])
      }
      return hash
    },
    eth_getTransactionByHash: () => ({ hash, blockNumber: block.number, type: '0x2' }),
    eth_getTransactionReceipt: () => ({
      transactionHash: hash,
      blockNumber: block.number,
      status: '0x1',
      type: '0x2',
      logs: [],
    }),
  }
  const request = async ({ method, params }) => {
    const respond = responses[method]
    if (!respond) throw new Error(`The wallet does not support ${method}.`)
    return respond(...(params ?? []))
  }
  const client = createWalletClient({
    account,
    chain: mainnet,
    transport: custom({ request }, { retryCount: 0 }),
    pollingInterval: 10,
  })
  return { client, signed }
}

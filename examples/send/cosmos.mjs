import { fromBech32, fromUtf8, toBech32, toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, Registry } from '@cosmjs/proto-signing'
import { AminoTypes, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { aminoConverters, protoRegistry } from '@initia/amino-converter'

const registry = new Registry(protoRegistry)
const aminoTypes = new AminoTypes(aminoConverters)

/** Whole texts, and whole numbers. */
const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const isLong = /^-?\d{16,}$/
const mark = 'exact integer '

/** The message as CosmJS encodes it. Its integers stay exact, also those in the message of a contract. */
export function readMessage({ typeUrl, raw }) {
  const converter = aminoConverters[typeUrl]
  if (!converter) throw new Error(`No converter knows ${typeUrl}.`)
  const isContract = typeUrl === '/cosmwasm.wasm.v1.MsgExecuteContract'
  const quoted = raw.replace(token, (text) => (isLong.test(text) ? `"${isContract ? mark : ''}${text}"` : text))
  const message = aminoTypes.fromAmino({ type: converter.aminoType, value: JSON.parse(quoted) })
  if (!isContract) return message
  const msg = fromUtf8(message.value.msg).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
  return { ...message, value: { ...message.value, msg: toUtf8(msg) } }
}

/** An account of Cosmos chains. It pays with the given gas price, such as `0.025uosmo`. */
export async function cosmosAccount(mnemonic, { rpcUrlOf, gasPrice }) {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic)
  const [{ address }] = await wallet.getAccounts()
  return {
    addressOn: (prefix) => toBech32(prefix, fromBech32(address).data),
    async cosmos(chainId, { signer, messages }) {
      const { prefix } = fromBech32(signer)
      const own = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix })
      const options = { registry, aminoTypes, gasPrice: GasPrice.fromString(gasPrice) }
      const client = await SigningStargateClient.connectWithSigner(rpcUrlOf(chainId), own, options)
      try {
        if ((await client.getChainId()) !== chainId) throw new Error(`The node is not of ${chainId}.`)
        // It simulates, pays for 1.4 times that gas, and returns once the node has accepted the transaction.
        return await client.signAndBroadcastSync(signer, messages.map(readMessage), 'auto')
      } finally {
        client.disconnect()
      }
    },
  }
}

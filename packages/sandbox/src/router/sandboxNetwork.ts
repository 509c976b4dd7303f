import { makeAccount } from '../address.ts'
import type { SandboxChain } from '../chains.ts'
import { contractAddress, erc20Contract, ibcDenom, l2Denom, type RouterAsset, tokenOf } from './assets.ts'
import { axelar } from './bridges/axelar.ts'
import { cctp } from './bridges/cctp.ts'
import { eureka } from './bridges/eureka.ts'
import { goFast } from './bridges/goFast.ts'
import { hyperlane } from './bridges/hyperlane.ts'
import { layerZero } from './bridges/layerZero.ts'
import { opInit } from './bridges/opInit.ts'
import { stargate } from './bridges/stargate.ts'
import { outsideChains, sandboxSide } from './chains.ts'
import type { Way } from './edges.ts'
import { createNetworkBuilder, type Link, type Network } from './network.ts'

/**
 * The network of the sandbox chains and the outside chains. The hub has an OPinit bridge to every
 * rollup, and IBC and LayerZero connect it to the outside. Without a hub, only the outside chains are
 * connected.
 */
export function createSandboxNetwork(sandbox: readonly SandboxChain[]): Network {
  const builder = createNetworkBuilder([...sandbox.map(sandboxSide), ...outsideChains])
  const { addAsset, addUnlisted, addEdge, connectIbc, addBridge, addPool } = builder

  const osmo = addAsset('osmosis-1', 'uosmo', tokenOf('OSMO'))
  const usdc = addAsset('noble-1', 'uusdc', tokenOf('USDC'))
  const ether = addAsset('1', 'ethereum-native', tokenOf('ETH'))
  const erc20 = (symbol: string, contract: string): RouterAsset =>
    addAsset('1', contract, tokenOf(symbol), { contract })
  const ethUsdc = erc20('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
  const ethInit = erc20('INIT', contractAddress('1', 'INIT'))
  const ethOsmo = erc20('OSMO', contractAddress('1', 'OSMO'))
  const osmoUsdc = connectIbc(usdc, {
    to: 'osmosis-1',
    channel: 'channel-1',
    farChannel: 'channel-750',
  })
  const axelarTrace = 'transfer/channel-208'
  const osmoEther = addAsset('osmosis-1', ibcDenom(`${axelarTrace}/weth-wei`), tokenOf('ETH'), {
    originChainId: '1',
    originDenom: 'ethereum-native',
    trace: axelarTrace,
  })

  const finality = 1140
  addBridge(cctp, usdc, ethUsdc, { fee: 150_000n, seconds: 60 })
  addBridge(cctp, ethUsdc, usdc, { seconds: finality, carriesOn: true })
  addBridge(goFast, ethUsdc, osmoUsdc, {
    fee: 200_000n,
    bps: 10,
    seconds: 30,
    carriesOn: true,
  })
  addBridge(axelar, ether, osmoEther, {
    fee: 10n ** 14n,
    seconds: 960,
    carriesOn: true,
  })
  addBridge(axelar, osmoEther, ether, { fee: 10n ** 15n, seconds: 180 })
  addBridge(eureka, osmo, ethOsmo, { fee: 600_000n, seconds: 60 })
  addBridge(eureka, ethOsmo, osmo, { seconds: finality, carriesOn: true })

  addPool('1464', osmo, osmoUsdc, 4_000_000)
  addPool('1134', osmo, osmoEther, 1_500_000)
  addPool('1257', osmoEther, osmoUsdc, 900_000)
  addPool('0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640', ether, ethUsdc, 90_000_000)
  addPool(contractAddress('pool', 'INIT', 'ETH'), ethInit, ether, 2_000_000)

  const hub = sandbox.find((chain) => chain.isHub)
  if (hub !== undefined) addHub(hub)

  function addHub(hub: SandboxChain): void {
    const init = addAsset(hub.chainId, hub.denom, tokenOf(hub.symbol, hub.decimals))
    const toOsmosis = { to: 'osmosis-1', channel: 'channel-9', farChannel: 'channel-892' }
    const osmoInit = connectIbc(init, toOsmosis)
    const hubOsmo = connectIbc(osmo, {
      to: hub.chainId,
      channel: 'channel-892',
      farChannel: 'channel-9',
    })
    const hubUsdc = connectIbc(usdc, {
      to: hub.chainId,
      channel: 'channel-129',
      farChannel: 'channel-3',
    })
    for (const [from, to] of [
      [init, ethInit],
      [ethInit, init],
    ] as const) {
      addBridge(layerZero, from, to, { seconds: 180 })
    }
    addPool('1937', osmoInit, osmo, 600_000)
    addPool('1', init, hubUsdc, 2_500_000)
    addPool('2', init, hubOsmo, 250_000)

    for (const [index, rollup] of sandbox.filter((chain) => !chain.isHub).entries()) {
      addRollup(rollup, index, { init, hubUsdc, toOsmosis, hub: hub.chainId })
    }
  }

  function addRollup(
    rollup: SandboxChain,
    index: number,
    hub: { init: RouterAsset; hubUsdc: RouterAsset; toOsmosis: Link; hub: string },
  ): void {
    const { bridgeId = index + 1 } = rollup
    const toHub = { to: hub.hub, channel: 'channel-0', farChannel: `channel-${19 + bridgeId}` }
    const native = addAsset(rollup.chainId, rollup.denom, tokenOf(rollup.symbol, rollup.decimals), {
      contract: /^evm\/[0-9a-f]{40}$/.test(rollup.denom) ? `0x${rollup.denom.slice(4)}` : undefined,
    })
    const hubNative = connectIbc(native, toHub)
    addPool(`${10 + index}`, hubNative, hub.init, 120_000)
    addPool(`${2000 + index}`, connectIbc(hubNative, hub.toOsmosis), osmo, 20_000)

    const overOpInit = (isDeposit: boolean, hasHook = false): Way => ({
      bridge: opInit,
      rollup: { bridgeId, isDeposit, hasHook },
    })
    for (const from of [hub.init, hub.hubUsdc]) {
      const { originChainId, originDenom, token } = from
      const origin = { originChainId, originDenom }
      const l2Coin = l2Denom(bridgeId, from.denom)
      const contract = rollup.vm === 'evm' ? erc20Contract(rollup.chainId, l2Coin) : undefined
      const l2 = addAsset(rollup.chainId, l2Coin, token, { ...origin, contract })
      addEdge(from, l2, overOpInit(true), { seconds: 30 })
      addEdge(l2, from, overOpInit(false), { seconds: 604_800 })
      // The fast way back: an IBC voucher of the rollup's coin, swapped on the hub for the original.
      addPool(`${30 + index}-${token.symbol}`, connectIbc(l2, toHub, true), from, 5_000_000)

      if (rollup.vm !== 'evm') continue
      const wrapper = contractAddress(rollup.chainId, token.symbol)
      const wrapped = addAsset(rollup.chainId, `evm/${wrapper.slice(2)}`, token, {
        ...origin,
        decimals: 18,
        contract: wrapper,
      })
      addEdge(from, wrapped, overOpInit(true, true), { seconds: 45 })
      const [bridge, far, bps] =
        token.symbol === 'USDC' ? ([stargate, ethUsdc, 6] as const) : ([layerZero, ethInit, 0] as const)
      addBridge(bridge, far, wrapped, { bps, seconds: 150 })
      addBridge(bridge, wrapped, far, { bps, seconds: 120 })
    }

    if (rollup.vm !== 'wasm') return
    // A false twin of the hub's coin: anybody can create a coin with this name, and send it to all.
    const creator = makeAccount(rollup.bech32Prefix, 20, 'twin', rollup.chainId).bech32
    const { denom } = hub.init
    addUnlisted(rollup.chainId, `factory/${creator}/${denom}`, { ...hub.init.token, priced: false })
    const warped = addAsset(rollup.chainId, `hyperlane/${contractAddress(rollup.chainId, 'ETH')}`, tokenOf('ETH'), {
      originChainId: '1',
      originDenom: 'ethereum-native',
    })
    addBridge(hyperlane, ether, warped, { seconds: 210 })
    addBridge(hyperlane, warped, ether, { seconds: 240 })
  }

  return builder.build()
}

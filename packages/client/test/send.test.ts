import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Client } from '../src/client.ts'
import { quote, type RouteInput } from '../src/operations/generated/operations.ts'
import { PortolanError } from '../src/portolanError.ts'
import { SendError, type SendOptions, type SendStep, type Signers, sendRoute } from '../src/send.ts'
import { clientOf, startWorld, type World } from './support/world.ts'

let world: World
let client: Client
beforeAll(async () => {
  world = await startWorld()
  client = clientOf(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const ethereum = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
const initia = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
const addresses: Readonly<Record<string, string>> = {
  '1': ethereum,
  'osmosis-1': 'osmo1wllqcgh04444mr53tegtrkdlc970awqhtqwp4p',
  'noble-1': 'noble1wllqcgh04444mr53tegtrkdlc970awqhtcgema',
}

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const init = { chainId: 'harbor-1', denom: 'uinit' }

/** A transaction of Osmosis, one of Ethereum with an approval, two that follow each other, and a deposit with a hook. */
const inputs = {
  osmosis: { amountIn: '25000000', source: { chainId: 'osmosis-1', denom: 'uosmo' }, destination: init },
  token: { amountIn: '250000000', source: { chainId: '1', denom: usdc }, destination: init },
  two: {
    amountIn: '3000000000000000000',
    source: { chainId: '1', denom: 'ethereum-native' },
    destination: { chainId: 'lantern-1', denom: 'ulant' },
    allowMultiTransaction: true,
  },
  hooked: {
    amountIn: '25000000',
    source: init,
    destination: { chainId: 'galley-1', denom: 'evm/2b37fd7c6f09a85f45b40512dc6337b51be6a71a' },
  },
} satisfies Record<string, RouteInput>

/** A quote, with the addresses that it asks for. */
async function quoted(input: RouteInput): Promise<Pick<SendOptions, 'route' | 'addresses'>> {
  const { route } = await quote(client, { input })
  if (!route) throw new Error('no route')
  return { route, addresses: route.requiredAddresses.map(({ chainId }) => addresses[chainId] ?? initia) }
}

let made = 0
/** A new hash. Its last two digits choose how the transfer goes. */
const newHash = (ending = '00') => `${(++made).toString(16).padStart(8, '0')}${'5e'.repeat(27)}${ending}`.toUpperCase()

/** A wallet that signs all, and writes down what it was asked for. */
function walletOf(given: Partial<Signers> = {}) {
  const asked: [string, ...unknown[]][] = []
  const note =
    <Result>(name: string, result: () => Result) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args])
      return result()
    }
  const signers: Signers = {
    cosmos: note('cosmos', newHash),
    evm: note('evm', () => `0x${newHash().toLowerCase()}`),
    receipt: note('receipt', () => undefined),
    hook: note('hook', () => ({ signer: initia, hook: 'AAEC' })),
    ...given,
  }
  return { asked, signers, names: () => asked.map(([name]) => name) }
}

/** Runs to the end, and returns the steps, with those of one kind in a row as one. */
async function run(options: SendOptions, by = client) {
  const steps: SendStep[] = []
  const fault = await (async () => {
    for await (const step of sendRoute(by, options)) steps.push(step)
  })().catch((error) => error)
  const kinds = steps.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1])
  return { steps, kinds, fault: fault as SendError | undefined }
}

const stepOf = <Kind extends SendStep['kind']>(steps: readonly SendStep[], kind: Kind) => {
  const found = steps.find((step): step is Extract<SendStep, { kind: Kind }> => step.kind === kind)
  if (!found) throw new Error(`no step ${kind}`)
  return found
}

test('a Cosmos transaction is signed, and watched until the asset has arrived', async () => {
  const { asked, signers } = walletOf()
  const { steps, kinds, fault } = await run({ ...(await quoted(inputs.osmosis)), signers })
  expect(fault).toBeUndefined()
  expect(kinds).toEqual(['prepare', 'sign', 'sent', 'state', 'done'])
  const [[name, chainId, transaction] = []] = asked as [string, string, { messages: { raw: string }[] }][]
  expect([name, chainId]).toEqual(['cosmos', 'osmosis-1'])
  expect(transaction).toMatchObject({ kind: 'cosmos', signer: addresses['osmosis-1'] })
  expect(transaction?.messages).toMatchObject([{ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract' }])
  expect(JSON.parse(transaction?.messages[0]?.raw ?? '')).toMatchObject({
    funds: [{ amount: '25000000', denom: 'uosmo' }],
  })
  expect(stepOf(steps, 'prepare')).toMatchObject({
    transactions: [transaction],
    minAmountOut: expect.stringMatching(/^\d+$/),
  })
  const { sent } = stepOf(steps, 'done')
  expect(sent).toMatchObject([{ kind: 'transfer', chainId: 'osmosis-1' }])
  expect(stepOf(steps, 'sent').transaction).toEqual(sent[0])
  const states = steps.filter(({ kind }) => kind === 'state')
  expect(states.at(-1)).toMatchObject({ index: 0, transfer: { outcome: 'SUCCEEDED' } })
})

test('an approval is sent and executed before the call that needs it', async () => {
  const { asked, signers, names } = walletOf()
  const { steps, kinds, fault } = await run({ ...(await quoted(inputs.token)), signers })
  expect(fault).toBeUndefined()
  expect(kinds).toEqual(['prepare', 'approve', 'sent', 'sign', 'sent', 'state', 'done'])
  expect(names()).toEqual(['evm', 'receipt', 'evm'])
  const { approval } = stepOf(steps, 'approve')
  expect(approval).toMatchObject({ tokenContract: usdc, amount: 250_000_000n })
  const { spender } = approval
  // approve(address,uint256), as any ABI encoder writes it.
  const data = `0x095ea7b3${spender.slice(2).toLowerCase().padStart(64, '0')}${(250_000_000).toString(16).padStart(64, '0')}`
  expect(asked[0]).toEqual(['evm', '1', { kind: 'evm', chainId: '1', signer: ethereum, to: usdc, value: 0n, data }])
  const { sent } = stepOf(steps, 'done')
  expect(sent.map(({ kind }) => kind)).toEqual(['approval', 'transfer'])
  expect(asked[1]).toEqual(['receipt', '1', sent[0]?.hash])
  expect(asked[2]?.[2]).toMatchObject({ to: spender, data: expect.stringMatching(/^0x[0-9a-f]+$/) })
  expect(asked[2]?.[2]).not.toHaveProperty('approvals')
})

test('an approval that the present allowance covers is left out', async () => {
  const allowance = vi.fn(async () => 250_000_000n)
  const enough = walletOf({ allowance })
  const whole = await run({ ...(await quoted(inputs.token)), signers: enough.signers })
  expect(whole.kinds).toEqual(['prepare', 'sign', 'sent', 'state', 'done'])
  expect(allowance).toHaveBeenCalledWith('1', expect.objectContaining({ tokenContract: usdc }), ethereum)
  const less = walletOf({ allowance: async () => 249_999_999n })
  const { kinds } = await run({ ...(await quoted(inputs.token)), signers: less.signers })
  expect(kinds).toContain('approve')
})

test('the second transaction is signed when the first has arrived', async () => {
  const { signers, names } = walletOf()
  const arrived: boolean[] = []
  let last = ''
  for await (const step of sendRoute(client, { ...(await quoted(inputs.two)), signers })) {
    if (step.kind === 'state') last = step.transfer.outcome
    if (step.kind === 'sign' && step.index === 1) arrived.push(last === 'SUCCEEDED')
  }
  expect(arrived).toEqual([true])
  expect(names()).toEqual(['evm', 'cosmos'])
})

test('a transfer that fails ends it, and nothing more is signed', async () => {
  const hash = `0x${newHash('e0').toLowerCase()}`
  const { signers, names } = walletOf({ evm: async () => hash })
  const { kinds, fault } = await run({ ...(await quoted(inputs.two)), signers })
  expect(fault).toBeInstanceOf(SendError)
  expect(fault).toBeInstanceOf(PortolanError)
  expect(fault).toMatchObject({ code: 'TRANSFER_FAILED', step: 'state' })
  expect(fault?.message).toMatch(/^The transfer of transaction 1 of 2 on 1 has not arrived: Its last state is \w+\.$/)
  expect(fault?.sent).toEqual([{ kind: 'transfer', chainId: '1', hash }])
  expect(kinds.at(-1)).toBe('state')
  expect(names()).toEqual([])
})

test('a transfer that the router stops to track is unknown, not failed', async () => {
  const { signers } = walletOf({ cosmos: async () => newHash('e2') })
  const { fault } = await run({ ...(await quoted(inputs.osmosis)), signers })
  expect(fault).toMatchObject({ code: 'TRANSFER_UNKNOWN', step: 'state', sent: [{ chainId: 'osmosis-1' }] })
})

test('the hook is signed before the messages are asked for, and is in them', async () => {
  const { signers, names, asked } = walletOf()
  const { steps, kinds, fault } = await run({ ...(await quoted(inputs.hooked)), signers })
  expect(fault).toBeUndefined()
  expect(kinds.slice(0, 3)).toEqual(['hook', 'prepare', 'sign'])
  expect(names()).toEqual(['hook', 'cosmos'])
  expect(asked[0]).toEqual(['hook', 'galley-1', { chainId: 'galley-1', messages: [expect.anything()] }])
  const [transaction] = stepOf(steps, 'prepare').transactions
  expect(transaction).toMatchObject({ messages: [{ raw: expect.stringContaining('AAEC') }] })
})

test('a wallet that refuses ends it with what is sent so far', async () => {
  const refusal = new Error('User rejected the request.')
  let approved = ''
  const { signers } = walletOf({
    async evm(_, { value, to }) {
      if (to !== usdc) throw refusal
      expect(value).toBe(0n)
      approved = newHash()
      return approved
    },
  })
  const { fault } = await run({ ...(await quoted(inputs.token)), signers })
  expect(fault).toMatchObject({ code: 'SIGNER', step: 'sign', cause: refusal })
  expect(fault?.message).toBe('The wallet has not sent transaction 1 of 1 on 1: User rejected the request.')
  expect(fault?.sent).toEqual([{ kind: 'approval', chainId: '1', hash: approved }])
})

test('an approval that fails on its chain ends it, and its hash is not lost', async () => {
  const { signers, names } = walletOf({ receipt: async () => Promise.reject(new Error('It reverted.')) })
  const { fault } = await run({ ...(await quoted(inputs.token)), signers })
  expect(fault).toMatchObject({ code: 'SIGNER', step: 'approve', sent: [{ kind: 'approval' }] })
  expect(fault?.message).toBe(`The chain has not executed the approval of ${usdc} on 1: It reverted.`)
  expect(names()).toEqual(['evm'])
})

test('a signer that returns no hash ends it', async () => {
  const { signers } = walletOf({ cosmos: async () => '' })
  const { fault } = await run({ ...(await quoted(inputs.osmosis)), signers })
  expect(fault).toMatchObject({ code: 'SIGNER', step: 'sign', sent: [] })
})

test('a quote that has expired is refused before anything is asked for', async () => {
  const { route, addresses } = await quoted(inputs.token)
  const { signers, names } = walletOf()
  const expiresAt = new Date(Date.now() - 1_000).toISOString()
  const { steps, fault } = await run({ route: { ...route, expiresAt }, addresses, signers })
  expect(fault).toMatchObject({ code: 'QUOTE_EXPIRED', step: 'prepare', sent: [] })
  expect(steps).toEqual([])
  // It expires while the user reads what will be signed.
  const soon = new Date(Date.now() + 20_000)
  const late = sendRoute(client, { route: { ...route, expiresAt: soon.toISOString() }, addresses, signers })
  expect((await late.next()).value).toMatchObject({ kind: 'prepare' })
  vi.spyOn(Date, 'now').mockReturnValue(soon.getTime())
  try {
    await expect(late.next()).rejects.toMatchObject({ code: 'QUOTE_EXPIRED', step: 'approve' })
  } finally {
    vi.restoreAllMocks()
  }
  expect(names()).toEqual([])
})

test('a token that the gateway does not know is refused before anything is signed', async () => {
  const { route, addresses } = await quoted(inputs.osmosis)
  const { signers, names } = walletOf()
  const { fault } = await run({ route: { ...route, routeToken: `${route.routeToken}x` }, addresses, signers })
  expect(fault).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'INVALID_ROUTE_TOKEN', step: 'prepare', sent: [] })
  expect(fault?.message).toContain('Query the route again')
  expect(names()).toEqual([])
})

test.each([
  ['cosmos', inputs.two, 'prepare'],
  ['evm', inputs.two, 'prepare'],
  ['receipt', inputs.token, 'prepare'],
  ['hook', inputs.hooked, 'hook'],
] as const)('without the signer %s, a route that needs it is not begun', async (name, input, step) => {
  const { signers, names } = walletOf({ [name]: undefined })
  const { fault } = await run({ ...(await quoted(input)), signers })
  expect(fault).toMatchObject({ code: 'NO_SIGNER', step, sent: [] })
  expect(fault?.message).toContain(`\`${name}\``)
  expect(names()).toEqual([])
})

test('a reader that leaves at the warning signs nothing', async () => {
  const { signers, names } = walletOf()
  for await (const step of sendRoute(client, { ...(await quoted(inputs.osmosis)), signers })) {
    expect(step.kind).toBe('prepare')
    break
  }
  expect(names()).toEqual([])
})

test('an abort stops before the next signature, and loses no hash', async () => {
  const controller = new AbortController()
  const hash = newHash()
  const { signers, names } = walletOf({
    // The user aborts while the wallet has its window open, and then signs.
    async evm() {
      controller.abort()
      return hash
    },
  })
  const options = { ...(await quoted(inputs.token)), signers, signal: controller.signal }
  const { kinds, steps, fault } = await run(options)
  expect(kinds).toEqual(['prepare', 'approve', 'sent'])
  const sent = [{ kind: 'approval', chainId: '1', hash }]
  expect(stepOf(steps, 'sent').transaction).toEqual(sent[0])
  expect(fault).toMatchObject({ code: 'ABORTED', step: 'approve', sent })
  expect(names()).toEqual([])
})

test('an abort during the watch ends it with what was sent', async () => {
  const controller = new AbortController()
  const { signers } = walletOf({ cosmos: async () => newHash('e3') })
  const steps: SendStep[] = []
  const options = { ...(await quoted(inputs.osmosis)), signers, signal: controller.signal }
  const whole = (async () => {
    for await (const step of sendRoute(client, options)) {
      steps.push(step)
      if (step.kind === 'state') controller.abort()
    }
  })()
  await expect(whole).rejects.toMatchObject({ code: 'ABORTED', step: 'state', sent: [{ chainId: 'osmosis-1' }] })
  expect(steps.at(-1)?.kind).toBe('state')
})

test('an abort before it begins asks the gateway for nothing', async () => {
  const { signers, names } = walletOf()
  const options = await quoted(inputs.osmosis)
  const fetched = vi.fn(fetch)
  const { fault } = await run({ ...options, signers, signal: AbortSignal.abort() }, clientOf(world, { fetch: fetched }))
  expect(fault).toMatchObject({ code: 'ABORTED', step: 'prepare', sent: [] })
  expect(fetched).not.toHaveBeenCalled()
  expect(names()).toEqual([])
})

test('lost connections lose neither a state nor the end', async () => {
  const { signers } = walletOf({ cosmos: async () => newHash('01') })
  const outcomes: string[] = []
  for await (const step of sendRoute(client, { ...(await quoted(inputs.osmosis)), signers })) {
    if (step.kind === 'state') outcomes.push(step.transfer.outcome)
    if (step.kind === 'state' && outcomes.length === 1) world.proxy.cut()
  }
  expect(outcomes.at(-1)).toBe('SUCCEEDED')
})

import { expect, test } from 'vitest'
import { startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'

const query = (selection: string) => `{ route(input: {
  source: { chainId: "a-1", denom: "a" }, amountIn: "7", destination: { chainId: "b-1", denom: "b" }
}) { ${selection} } }`

const ferryOf = (depth: number) => ({
  body: `{"amount_out":"5","operations":[{"ferry_transfer":{"deep":${'{"of":'.repeat(depth)}1${'}'.repeat(depth)}}}]}`,
})

test.each([100, 1_000, 20_000, 100_000])(
  'a route operation nested %i levels deep has an error at its body only',
  async (depth) => {
    await using router = await startFakeRouter(() => ferryOf(depth))
    await using world = await startRouterWorld({ routerUrl: router.url })
    const plain = await world.ask(query('amountOut operations { kind } routeToken'))
    expect(plain.errors).toBeUndefined()
    expect(plain.data?.route).toMatchObject({ amountOut: '5', operations: [{ kind: 'UNKNOWN' }] })
    const { data, errors } = await world.ask(
      query('amountOut operations { rawKind details { ... on UnknownOperationDetails { body } } }'),
    )
    expect(data?.route).toEqual({
      amountOut: '5',
      operations: [{ rawKind: 'ferry_transfer', details: null }],
    })
    expect(errors?.map(({ path }) => path?.join('.'))).toEqual(['route.operations.0.details.body'])
  },
)

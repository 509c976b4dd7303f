import { block } from '@portolan/client/operations'
import { Suspense } from 'react'
import { openClient } from './gateway.js'
import { Live } from './live.jsx'

/** A component of the server. */
async function Block() {
  const { chain } = await block(openClient(), { chainId: 'galley-1', height: 1041 })
  return <p id="block">{chain.block.hash}</p>
}

export default function Page() {
  return (
    <main>
      <Suspense fallback={<p>Reading the block</p>}>
        <Block />
      </Suspense>
      <Live />
    </main>
  )
}

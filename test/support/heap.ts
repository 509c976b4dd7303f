import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes of the heap in use after a full collection. */
export function heapInUse(): number {
  collect()
  return process.memoryUsage().heapUsed
}

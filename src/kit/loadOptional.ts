/** A feature whose libraries are optional peers: `npm install portolan` leaves them out. */
export interface PeerFeature {
  /** The name of the feature, as the subject of a sentence, such as `MCP`. */
  readonly name: string
  /** The arguments of `npm install`, such as `ioredis@6`. */
  readonly packages: readonly string[]
}

/** Loads modules that need optional peers. Rejects with a sentence for operators if one is not installed. */
export const loadOptional = <T>({ name, packages }: PeerFeature, load: () => Promise<T>): Promise<T> =>
  load().catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    const command = `npm install ${packages.join(' ')}`
    throw new Error(`${name} needs packages that are not installed. Run ${command} beside portolan.`, { cause: error })
  })

/** Reads a value. Returns the output of its schema, or the mark of a value that it refuses. */
export type Reader = (value: unknown) => unknown

/** A declared key of an object, and how its value is read. */
export interface Property {
  readonly key: string
  readonly read: Reader
  /** Whether the key must be there. */
  readonly isRequired: boolean
  /** Whether the output of an absent key is left out, even if it is a value or refused. */
  readonly isLeftOut: boolean
}

/** An object with declared keys. */
export interface ObjectShape {
  /** None is called `__proto__`. */
  readonly properties: readonly Property[]
  /** Whether keys that are not declared are kept as they are. */
  readonly isLoose: boolean
  /** The result of readers for a value that they refuse. */
  readonly refused: unknown
}

type ReadObject = (value: Record<string, unknown>) => unknown

/** A reader of values that are objects, but not lists. */
export function objectReader(shape: ObjectShape): Reader {
  const readAny = generalReader(shape)
  // The caller has checked that the value is an object.
  return (generatedReader(shape, readAny) ?? readAny) as Reader
}

/**
 * Keeps a key that is not declared. To assign `__proto__` would replace the prototype instead, and zod leaves it out, but
 * a message can have it.
 */
export function keep(output: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') output[key] = value
  else {
    Object.defineProperty(output, key, {
      ...{ value, writable: true },
      ...{ enumerable: true, configurable: true },
    })
  }
}

/** Reads key by key, in any object. */
function generalReader({ properties, isLoose, refused }: ObjectShape): ReadObject {
  const declared = new Set(properties.map(({ key }) => key))
  return (value) => {
    const output: Record<string, unknown> = {}
    for (const { key, read, isRequired, isLeftOut } of properties) {
      const input = value[key]
      const isAbsent = input === undefined && !(key in value)
      if (isAbsent && isRequired) return refused
      if (isAbsent && isLeftOut) continue
      const result = read(input)
      if (result === refused) return refused
      if (result !== undefined || !isAbsent) output[key] = result
    }
    if (isLoose) {
      for (const key in value) {
        if (!declared.has(key)) keep(output, key, value[key])
      }
    }
    return output
  }
}

/**
 * The same reader as code that names each key, as zod generates it too: V8 reads and writes properties of
 * fixed names several times faster. `readAny` reads an object whose output may lack a key. An object whose copy
 * would be equal is returned as it is. Undefined where no code may be generated.
 */
function generatedReader({ properties, isLoose, refused }: ObjectShape, readAny: ReadObject): ReadObject | undefined {
  const reads = properties.map(({ key, isRequired, isLeftOut }, i) => {
    const absent = isRequired || isLeftOut ? `input${i}` : `(input${i} === undefined ? output${i} : 0)`
    return `const input${i} = value[${JSON.stringify(key)}]
      const output${i} = read${i}(input${i})
      if (${absent} === undefined) return readAny(value)
      if (output${i} === refused) return refused`
  })
  const isUnchanged = properties.map((_, i) => `output${i} === input${i} && `).join('')
  const outputs = properties.map(({ key }, i) => `${JSON.stringify(key)}: output${i}`)
  const others = `for (const key in value) if (!declared.has(key)) keep(output, key, value[key])`
  const code = `return (value) => {
    ${reads.join('\n')}
    if (${isUnchanged}hasOutputKeys(value)) return value
    const output = { ${outputs.join()} }
    ${isLoose ? others : ''}
    return output
  }`
  const names = properties.map((_, i) => `read${i}`)
  try {
    const make = new Function('refused', 'readAny', 'declared', 'hasOutputKeys', 'keep', ...names, code)
    const keys = properties.map(({ key }) => key)
    const hasOutputKeys = outputKeysTest(keys, isLoose)
    return make(refused, readAny, new Set(keys), hasOutputKeys, keep, ...properties.map(({ read }) => read))
  } catch {
    return undefined
  }
}

/** Whether the keys of an object are those of its output, in the same order. */
const outputKeysTest =
  (keys: readonly string[], isLoose: boolean) =>
  (value: object): boolean => {
    let count = 0
    for (const key in value) {
      const isKept = count < keys.length ? key === keys[count] : isLoose
      if (!isKept) return false
      count += 1
    }
    return count >= keys.length
  }

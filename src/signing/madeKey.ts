/** The key of every sandbox. It guards nothing: the data of a sandbox are simulated. */
const sandboxKey = 'the same key for each sandbox, which everyone knows'

/** The keys that sign. Undefined if one has to be made. */
export const keysOf = ({
  signingKeys,
  isSandbox,
}: {
  readonly signingKeys?: readonly string[] | undefined
  readonly isSandbox?: boolean | undefined
}): readonly string[] | undefined => signingKeys ?? (isSandbox ? [sandboxKey] : undefined)

/** The line in the log of a sandbox without keys of its own. */
export const sandboxKeyMessage =
  'No SIGNING_KEYS: the sandbox signs cursors and route tokens with a key that everyone knows, so that they outlive a restart.'

/** The line in the log of a gateway whose signing key was made at its start. */
export const madeKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key made at this start. They are invalid after a restart and on other replicas.'

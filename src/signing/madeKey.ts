/** What the log says of a gateway whose signing key was made at its start. */
export const madeKeyMessage =
  'No SIGNING_KEYS: cursors and route tokens are signed with a key made at this start. They are invalid after a restart and on other replicas.'

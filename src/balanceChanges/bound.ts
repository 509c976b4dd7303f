/** A transaction has more to read than is allowed, so that its changes would not be whole or rightly named. */
export class UnboundedChanges extends Error {
  override readonly name = 'UnboundedChanges'
}

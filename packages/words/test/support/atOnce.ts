import { actionsOf as readActions, actionOfReceipt as readReceipt } from '../../src/actions/actions.ts'
import { balanceChanges as readChanges } from '../../src/balanceChanges/balanceChanges.ts'
import { partsOf as readParts } from '../../src/balanceChanges/events.ts'
import { allSteps, type Steps } from '../../src/steps.ts'

/** A reader that does all its steps at once. */
export const atOnce =
  <Input extends readonly unknown[], T>(read: (...input: Input) => Steps<T>) =>
  (...input: Input): T =>
    allSteps(read(...input))

export const actionsOf = atOnce(readActions)
export const actionOfReceipt = atOnce(readReceipt)
export const balanceChanges = atOnce(readChanges)
export const partsOf = atOnce(readParts)

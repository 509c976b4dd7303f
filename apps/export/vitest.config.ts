import { packageTests } from '../../packages/support/packageTests.ts'

export default packageTests

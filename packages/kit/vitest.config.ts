import { packageTests } from '../support/packageTests.ts'

export default packageTests

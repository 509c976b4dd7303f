import fc from 'fast-check'
import { propertySettings } from '../../packages/support/property.ts'
// The packages may have a copy of that library of their own.
import '../../packages/support/seed.ts'

fc.configureGlobal(propertySettings)

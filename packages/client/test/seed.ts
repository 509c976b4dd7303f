import fc from 'fast-check'
import { propertySettings } from '../../support/property.ts'

fc.configureGlobal(propertySettings)

import fc from 'fast-check'
import { propertySettings } from './property.ts'

fc.configureGlobal(propertySettings)

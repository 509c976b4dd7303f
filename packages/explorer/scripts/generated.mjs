// Puts the types of the documents where they are committed. The preset writes other modules beside them, which nothing uses.
import { copyFileSync } from 'node:fs'

copyFileSync('node_modules/.generated/client/graphql.ts', 'src/generated/graphql.ts')

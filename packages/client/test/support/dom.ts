import { Window } from 'happy-dom'

// The gateway of the tests runs in the same process, and has to see a Node.js without a DOM but for these.
const window = new Window()
const { document, navigator } = window
Object.assign(globalThis, { window, document, navigator: globalThis.navigator ?? navigator })

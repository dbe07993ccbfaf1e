import { type Lodge, startLodge } from '../../support/stack.ts'

// A control plane on the database and the data folder of another one, which waits to be killed.
const [, , url = '', applicationUrl = '', dataFolder = '', origin = ''] = process.argv
await startLodge({
  beside: { database: { url, application: { url: applicationUrl } }, dataFolder, origin } as Lodge,
})

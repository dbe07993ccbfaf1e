import { startEmbeddedDatabase } from './supervisor.ts'

// Starts the database in the given folder and waits to be killed.
const quiet = { info: () => undefined, warn: () => undefined }
const { pid } = await startEmbeddedDatabase({ folder: process.argv[2]!, log: quiet })
process.send!({ pid })
setInterval(() => undefined, 60_000)

import { startEmbeddedDatabase } from './supervisor.ts'

// A program that starts the database in the folder named first and waits to be killed.
const quiet = { info: () => undefined, warn: () => undefined }
const { pid } = await startEmbeddedDatabase({ folder: process.argv[2]!, log: quiet })
process.send!({ pid })
setInterval(() => undefined, 60_000)

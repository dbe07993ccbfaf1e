import { FolderInUse, lockFolder } from '@lodge/shared/local/folder-lock.ts'
import { startControlPlane } from './compose.ts'
import { readConfig } from './config.ts'
import { openLog } from './log.ts'
import { storageOf } from './storage.ts'

/** How long to wait for another control plane that was told to stop. */
const OTHER_ENDS_MS = 10_000

const config = readConfig()
const log = openLog(config.logLevel)

const controlPlane = await start().catch((error: unknown) => {
  const { level, summary } = storageOf(config.dataFolder).look()
  if (error instanceof FolderInUse) log.fatal(error.message)
  else if (level === 'full') log.fatal({ err: error, code: 'storage_full' }, summary)
  else log.fatal({ err: error }, 'the control plane could not start')
  process.exit(1)
})
log.info(
  {
    port: controlPlane.port,
    fleet: controlPlane.services.fleet.address,
    dataFolder: config.dataFolder,
  },
  'the control plane is ready',
)

async function start() {
  // Two instances with the embedded database would stop each other's. With one outside of the folder
  // they share its keys, certificates and files.
  await lockFolder(config.dataFolder, 'control-plane', {
    variable: 'LODGE_DATA',
    shared: config.databaseUrl !== undefined,
    patienceMs: OTHER_ENDS_MS,
    waiting: (sentence) => log.warn(sentence),
  })
  return await startControlPlane(config, log)
}

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await controlPlane.stop()
  process.exit(0)
}
process.on('SIGINT', () => void end())
process.on('SIGTERM', () => void end())

import { mkdirSync } from 'node:fs'
import { startControlPlane } from './compose.ts'
import { readConfig } from './config.ts'
import { openLog } from './log.ts'

const config = readConfig()
const log = openLog(config.logLevel)
mkdirSync(config.dataFolder, { recursive: true, mode: 0o755 })

const controlPlane = await startControlPlane(config, log).catch((error: unknown) => {
  log.fatal({ err: error }, 'the control plane could not start')
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

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await controlPlane.stop()
  process.exit(0)
}
process.on('SIGINT', () => void end())
process.on('SIGTERM', () => void end())

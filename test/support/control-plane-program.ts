import { type ControlPlane, startControlPlane } from '../../control-plane/src/compose.ts'
import { readConfig } from '../../control-plane/src/config.ts'
import { FLEET_OPTIONS } from '../../control-plane/src/fleet/options.ts'
import { openLog } from '../../control-plane/src/log.ts'

/** A control plane by its environment, with other times of the fleet than the product has. */
Object.assign(FLEET_OPTIONS, JSON.parse(process.argv[2] ?? '{}'))
const config = readConfig()
const controlPlane: ControlPlane = await startControlPlane(config, openLog(config.logLevel))
process.on('SIGTERM', () => void controlPlane.stop().then(() => process.exit(0)))

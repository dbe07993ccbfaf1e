import { FLEET_OPTIONS } from '../../control-plane/src/fleet/options.ts'

/** The control plane as operators start it, except for times of the fleet. */
Object.assign(FLEET_OPTIONS, JSON.parse(process.argv[2] ?? '{}'))
await import('../../control-plane/src/main.ts')

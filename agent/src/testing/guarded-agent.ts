import { dockerDriver } from '@lodge/driver-docker/docker.ts'
import { LEASE_TIMES } from '@lodge/shared/leases/times.ts'
import { startAgent } from '../agent.ts'
import { readCommandLine } from '../config.ts'
import { keepGuard } from '../guard/keeper.ts'
import { createLog } from '../log.ts'

/** An agent with Docker and a guard, under leases that are too short for a real fleet. */
const { identity, folder, docker, places } = JSON.parse(process.argv[2] ?? '')
const log = createLog(process.env.LODGE_TEST_LOG ?? 'silent')
const guard = keepGuard(places, log)
await startAgent({
  identity,
  config: readCommandLine(['--data', folder], {}).config,
  drivers: [dockerDriver(docker)],
  log,
  guard,
  leaseTimes: { ...LEASE_TIMES, bootLeastMs: 300 },
})

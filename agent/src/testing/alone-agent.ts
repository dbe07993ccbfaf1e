import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeDriver } from '@lodge/driver-fake/fake.ts'
import { startAgent } from '../agent.ts'
import { readCommandLine } from '../config.ts'
import { createLog } from '../log.ts'

/** An agent that writes what its servers are sent to a file, until it is killed. */
const { identity, folder, heard, aloneAfterMs } = JSON.parse(process.argv[2] ?? '')
const driver = fakeDriver({ dataRoot: join(folder, 'servers'), output: ['ready'] })
await startAgent({
  identity,
  config: readCommandLine(['--data', folder, '--driver', 'fake'], {}).config,
  drivers: [
    {
      ...driver,
      console: {
        ...driver.console,
        async write(serverId, bytes) {
          await driver.console.write(serverId, bytes)
          appendFileSync(heard, bytes)
        },
      },
    },
  ],
  log: createLog('silent'),
  bootId: 'first-boot',
  aloneAfterMs,
})

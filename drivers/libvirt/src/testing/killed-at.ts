import { dieAtCall } from '../../../../test/support/die-at-call.ts'

// Works on the files of a machine, and is killed at a given call of the file system.

const [given = '{}', point = ''] = process.argv.slice(2)

dieAtCall(Number(point), ['chown', 'copyFile', 'mkdir', 'open', 'readFile', 'rename', 'rm'])

const { options, exchanged, copied } = JSON.parse(given)
const { settingsOf } = await import('../options.ts')
if (exchanged) {
  const { exchange } = await import('../backups/exchange.ts')
  await exchange({ settings: settingsOf(options) }, exchanged.serverId, exchanged.wanted)
} else {
  const { libvirtDriver } = await import('../libvirt.ts')
  const driver = libvirtDriver(options)
  // Until it listens, calls to libvirt are refused.
  while (!(await driver.probe(AbortSignal.timeout(30_000))).ok);
  const frozen = await driver.backups.freeze(copied, () => {}, AbortSignal.timeout(60_000))
  await frozen?.release()
  await driver.close()
}

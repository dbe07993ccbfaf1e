import { dieAtCall } from '../../../../test/support/die-at-call.ts'

// Works on the files of a machine, and is killed at a given call of the file system.

const [given = '{}', point = ''] = process.argv.slice(2)

const CALLS = ['chown', 'copyFile', 'mkdir', 'open', 'readFile', 'rename', 'rm'] as const
const { options, exchanged, copied, inPool, arriving, calls = CALLS } = JSON.parse(given)

dieAtCall(Number(point), calls)

const { settingsOf } = await import('../options.ts')
if (exchanged) {
  const { exchange } = await import('../backups/exchange.ts')
  await exchange({ settings: settingsOf(options) }, exchanged.serverId, exchanged.wanted)
} else if (inPool) {
  const { sharedStorages } = await import('@lodge/driver/storage/shared-storages.ts')
  const { libvirtDriver } = await import('../libvirt.ts')
  const { places, pools, work, serverId, snapshotId, generation, spec } = inPool
  const storages = sharedStorages(new Map(places), new Map(pools))
  const driver = libvirtDriver({ ...options, storages })
  while (!(await driver.probe(AbortSignal.timeout(30_000))).ok);
  const signal = AbortSignal.timeout(60_000)
  const [ref, tell] = [{ serverId, generation, run: 1 }, () => {}]
  if (work === 'create') await driver.snapshots.create(serverId, snapshotId, tell, signal)
  if (work === 'restore') await driver.snapshots.restore(serverId, snapshotId, tell, signal)
  if (work === 'delete') await driver.snapshots.delete(serverId, snapshotId)
  if (work === 'install') await driver.installer.install(ref, spec, tell, signal)
  if (work === 'remove') await driver.remove(serverId, 'and-shared')
  await driver.close()
} else {
  const { libvirtDriver } = await import('../libvirt.ts')
  const driver = libvirtDriver(options)
  // Until it listens, calls to libvirt are refused.
  while (!(await driver.probe(AbortSignal.timeout(30_000))).ok);
  const signal = AbortSignal.timeout(60_000)
  if (arriving) {
    const { from, server, spec, manifest } = arriving
    const read = (name: string, offset: number) => driver.transfer.read(from, name, offset, signal)
    await driver.transfer.import(server, spec, manifest, read, () => {}, signal)
  } else {
    const frozen = await driver.backups.freeze(copied, () => {}, signal)
    await frozen?.release()
  }
  await driver.close()
}

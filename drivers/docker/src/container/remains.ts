import { readFile } from 'node:fs/promises'
import type { Remains } from '@lodge/driver/remains.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { type Engine, openEngine } from '../engine/client.ts'
import { LABEL } from '../engine/names.ts'
import { type DockerDriverOptions, type Settings, settingsOf } from '../engine/options.ts'
import { removeContainer } from '../engine/removal.ts'
import { firewallTable } from '../network/firewall.ts'

/**
 * What the driver created on this machine besides its data, in the order of removal. Containers
 * whose data is elsewhere belong to another installation and are left out.
 */
export async function dockerRemains(options: DockerDriverOptions): Promise<Remains[]> {
  const settings = settingsOf(options)
  const engine = openEngine(settings.socketPath)
  const ofEngine = await inEngine(engine, settings).catch((): Remains[] => [])
  return [...ofEngine, ...(await rules(settings)), ...(await mountsBelow(settings.dataRoot))]
}

async function inEngine(engine: Engine, settings: Settings): Promise<Remains[]> {
  const filters = { label: [`${LABEL.scope}=${settings.labelScope}`] }
  const containers = await engine.call(() => engine.docker.listContainers({ all: true, filters }))
  const ours = containers.filter(({ Mounts }) =>
    Mounts.some(({ Source }) => Source?.startsWith(`${settings.dataRoot}/`)),
  )
  const theirs = new Set(
    containers
      .filter((container) => !ours.includes(container))
      .flatMap(({ NetworkSettings }) => Object.keys(NetworkSettings.Networks)),
  )
  const networks = await engine.call(() => engine.docker.listNetworks({ filters }))
  return [
    ...ours.map(({ Id, Names: [name = Id] }) => ({
      what: `container ${name.replace(/^\//, '')}`,
      remove: () => removeContainer(engine, Id),
    })),
    ...networks
      .filter(({ Name }) => !theirs.has(Name))
      .map(({ Id, Name }) => ({
        what: `Docker network ${Name}`,
        remove: async () => {
          await engine.find(() => engine.docker.getNetwork(Id).remove())
        },
      })),
  ]
}

async function rules({ dataRoot }: Settings): Promise<Remains[]> {
  const table = firewallTable(dataRoot)
  if ((await runProgram('nft', ['list', 'table', 'inet', table])).code !== 0) return []
  return [
    {
      what: `firewall table inet ${table}`,
      remove: () => must('nft', 'delete', 'table', 'inet', table),
    },
  ]
}

/** Mounted server disks, most recent mounts first. */
async function mountsBelow(folder: string): Promise<Remains[]> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n')
  return mounts
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((place) => place.startsWith(`${folder}/`))
    .toReversed()
    .map((place) => ({
      what: `mounted disk ${place}`,
      remove: () => must('umount', '--', place),
    }))
}

async function must(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await runProgram(file, args)
  if (code !== 0) throw new Error(output.trim().slice(-200) || `${file} is missing`)
}

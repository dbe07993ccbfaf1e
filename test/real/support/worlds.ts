import path from 'node:path'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { busyboxTemplate, type Machine } from './machine.ts'
import { allAre, makeServers } from './servers.ts'

/** Makes files, folders, a symbolic and a hard link once, and runs until it is stopped. */
const SCRIPT = [
  'cd /data',
  'test -e world || { mkdir -p world/deep empty; for i in $(seq 50); do echo $i > world/$i; done; ln -s ../world/1 world/deep/link; ln world/2 world/deep/same; }',
  'echo ready',
  'while :; do sleep 0.2; done',
].join('; ')

/** A running server on the machine's own node, with a tree of files of every kind; its id. */
export async function startWorld(machine: Machine): Promise<string> {
  const limits = { memoryMb: 32, cpuPercent: 20, diskMb: 256 }
  const { ids } = await makeServers(machine, busyboxTemplate(SCRIPT, { limits }), 1)
  await allAre(machine, ids, 'running', 120_000)
  return ids[0] ?? ''
}

/** @param agent the agent's folder in that of the machine */
export const dataFolderOf = (machine: Machine, agent: string, serverId: string): string =>
  path.join(machine.folder, agent, 'servers/servers', serverId, 'data')

/** The contents of a folder without owners, since every server has a user of its own. */
export const filesIn = async (folder: string): Promise<[string, object][]> =>
  [...(await treeOf(folder))].map(([name, facts]) => [name, { ...Object(facts), uid: 0, gid: 0 }])

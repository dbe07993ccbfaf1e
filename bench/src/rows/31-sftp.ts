import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Machine } from '../../../test/api/sftp/client.ts'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import { speedOf, watchMemory } from '../measure/transfers.ts'
import type { Finding, Row } from '../row.ts'
import { cpuOf, type FileStage, fileStage } from '../stage/file-stage.fixture.ts'
import { freePortOfNode } from '../stage/free-port.ts'
import { writeNoise } from '../stage/noise.ts'
import { startOpenssh } from '../stage/openssh.fixture.ts'

const SMALL_BYTES = 4096
const OPEN_MS = 20_000
const WARM_MIB = 16

/**
 * OpenSSH's client with the files of a server, through the control plane and on the node itself,
 * compared with OpenSSH's own server on the same disk.
 */
export const sftp: Row = {
  number: 31,
  name: 'sftp.put and sftp.get',
  seconds: 3_600,
  async run(bench) {
    const mib = bench.long ? 1024 : 128
    const smallFiles = bench.long ? 10_000 : 200
    const stage = await fileStage(bench, { LODGE_SFTP: 'true', LODGE_SFTP_PORT: '0' })
    const { serverId, data } = await stage.make(mib * 4)
    const ports = { panel: 0, node: 0, bare: 0 }
    const open = async (which: keyof typeof ports) =>
      bench.ending.add(await Machine.open(() => ports[which]), dispose)
    const [panel, node, bare] = [await open('panel'), await open('node'), await open('bare')]
    for (const machine of [panel, node]) await addKey(stage, machine)
    const { userName, port } = await access(stage, serverId)
    ports.panel = port
    ports.node = await openOnNode(stage, serverId)
    const openssh = await startOpenssh(bench, bare.folder, bare.at('id.pub'))
    ports.bare = openssh.port
    bench.say('OpenSSH and the port of the node are up')
    const big = path.join(stage.folder, 'big')
    const small = path.join(stage.folder, 'small')
    await writeNoise(big, mib)
    await mkdir(small)
    for (let number = 0; number < smallFiles; number++)
      await writeFile(path.join(small, String(number)), Buffer.alloc(SMALL_BYTES, number))
    const session = (machine: Machine, user: string) => (commands: string) =>
      timed(async () => {
        const { ok, output } = await machine.sftp(user, [commands])
        if (!ok) throw new Error(`${commands}: ${output}`)
      })
    const byPanel = session(panel, userName)
    const byNode = session(node, userName)
    const there = session(bare, openssh.user)
    const peer = path.join(data, 'peer')
    await mkdir(peer)
    const { pid } = stage.side.plane.program
    const cpu = cpuOf(stage, mib)
    // What any transfer needs is there before: what grows with the file is asked.
    const warm = path.join(stage.folder, 'warm')
    await writeNoise(warm, WARM_MIB)
    await byPanel(`put ${warm} warm`)
    await byPanel(`get warm ${panel.at('warm')}`)
    const memory = watchMemory(pid)
    const rounds = bench.long ? 7 : 5
    const large = await interleave(rounds, {
      barePut: () => there(`put ${big} ${peer}/big`),
      put: () => cpu.weighed('put', () => byPanel(`put ${big} big`)),
      nodePut: () => cpu.weighed('put on the node', () => byNode(`put ${big} direct`)),
      bareGet: () => there(`get ${peer}/big ${bare.at('back')}`),
      get: () => cpu.weighed('get', () => byPanel(`get big ${panel.at('back')}`)),
      nodeGet: () => cpu.weighed('get on the node', () => byNode(`get direct ${node.at('back')}`)),
    })
    const grown = memory()
    for (const machine of [panel, node])
      if (!(await readFile(machine.at('back'))).equals(await readFile(big)))
        throw new Error('what came back is another file')
    const others = await interleave(bench.long ? 3 : rounds, {
      bareSmall: () => there(`put -r ${small} ${peer}`),
      small: () => byPanel(`put -r ${small}`),
      nodeSmall: () => byNode(`put -r ${small}`),
      bareLs: () => there('pwd'),
      ls: () => byPanel('pwd'),
      nodeLs: () => byNode('pwd'),
    })
    const speed = (what: string, ours: readonly number[], limit: readonly number[]) =>
      speedOf(what, { mib, ours, limit, limitName, atLeast: 0.9 })
    const ratio = (what: string, ours: readonly number[], limit: readonly number[]): Finding => ({
      what: `${what} / ${limitName}`,
      value: medianRatio(ours, limit, (milliseconds) => milliseconds),
      unit: 'x',
      detail: { ms: median(ours), 'OpenSSH ms': median(limit) },
    })
    const many = `put of ${smallFiles} files of 4 KiB`
    return [
      speed('put', large.put, large.barePut),
      speed('get', large.get, large.bareGet),
      speed('put on the node', large.nodePut, large.barePut),
      speed('get on the node', large.nodeGet, large.bareGet),
      ...cpu.findings(),
      ratio(many, others.small, others.bareSmall),
      ratio(`${many} on the node`, others.nodeSmall, others.bareSmall),
      ratio('signing in', others.ls, others.bareLs),
      ratio('signing in on the node', others.nodeLs, others.bareLs),
      grown,
    ]
  },
}

const limitName = "OpenSSH's own server"
const dispose = (machine: Machine): Promise<void> => machine[Symbol.asyncDispose]()

/** Lets the key of this machine in. */
async function addKey({ api, database }: FileStage, machine: Machine): Promise<void> {
  // A key may only be added by who has just proven who they are.
  await database.pool.query('update sessions set proved_at = now()')
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  await api.post('/api/account/ssh-keys', { name: 'Bench', publicKey })
}

/** Where people are told to go, and as whom. */
async function access({ api }: FileStage, serverId: string) {
  const { host, port, userName } = await api.get(`/api/servers/${serverId}/sftp`)
  return { host, port: Number(port), userName: String(userName) }
}

/** Has the node serve SFTP itself. @returns its port */
async function openOnNode(stage: FileStage, serverId: string): Promise<number> {
  const { api } = stage
  const { items } = await api.get('/api/nodes')
  const [node] = items as readonly { readonly id: string }[]
  const sftpPort = await freePortOfNode()
  await api.patch(`/api/nodes/${node?.id}`, { address: '127.0.0.1', sftpPort })
  const lateMs = performance.now() + OPEN_MS
  while ((await access(stage, serverId)).port !== sftpPort) {
    if (performance.now() > lateMs) throw new Error('the node does not open its port for SFTP')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return sftpPort
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Machine } from '../../../test/api/sftp/client.ts'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import { speedOf, watchMemory } from '../measure/transfers.ts'
import type { Finding, Row } from '../row.ts'
import { type FileStage, fileStage } from '../stage/file-stage.fixture.ts'
import { writeNoise } from '../stage/noise.ts'
import { startOpenssh } from '../stage/openssh.fixture.ts'

const SMALL_FILES = 200
const SMALL_BYTES = 4096

/** OpenSSH's client with the files of a server, compared with OpenSSH's own server on the same disk. */
export const sftp: Row = {
  number: 31,
  name: 'sftp.put and sftp.get',
  async run(bench) {
    const mib = bench.long ? 1024 : 128
    const stage = await fileStage(bench, { LODGE_SFTP: 'true', LODGE_SFTP_PORT: '0' })
    const { serverId, data } = await stage.make(mib * 4)
    const ports = { ours: 0, bare: 0 }
    const ours = bench.ending.add(await Machine.open(() => ports.ours), dispose)
    const bare = bench.ending.add(await Machine.open(() => ports.bare), dispose)
    const access = await opened(stage, serverId, ours)
    ports.ours = access.port
    const openssh = await startOpenssh(bench, bare.folder, bare.at('id.pub'))
    ports.bare = openssh.port
    bench.say('OpenSSH is up')
    const big = path.join(stage.folder, 'big')
    const small = path.join(stage.folder, 'small')
    await writeNoise(big, mib)
    await mkdir(small)
    for (let number = 0; number < SMALL_FILES; number++)
      await writeFile(path.join(small, String(number)), Buffer.alloc(SMALL_BYTES, number))
    const session = (machine: Machine, user: string) => (commands: string) =>
      timed(async () => {
        const { ok, output } = await machine.sftp(user, [commands])
        if (!ok) throw new Error(`${commands}: ${output}`)
      })
    const here = session(ours, access.userName)
    const there = session(bare, openssh.user)
    const peer = path.join(data, 'peer')
    await mkdir(peer)
    const { pid } = stage.side.plane.program
    const cpu: Record<'put' | 'get', number[]> = { put: [], get: [] }
    const weighed = async (what: 'put' | 'get', commands: string) => {
      const before = stage.cpuMs()
      const ms = await here(commands)
      cpu[what].push((stage.cpuMs() - before) / mib)
      return ms
    }
    const memory = watchMemory(pid)
    const rounds = bench.long ? 7 : 5
    const large = await interleave(rounds, {
      barePut: () => there(`put ${big} ${peer}/big`),
      put: () => weighed('put', `put ${big} big`),
      bareGet: () => there(`get ${peer}/big ${bare.at('back')}`),
      get: () => weighed('get', `get big ${ours.at('back')}`),
    })
    const grown = memory()
    if (!(await readFile(ours.at('back'))).equals(await readFile(big)))
      throw new Error('what came back is another file')
    const others = await interleave(rounds, {
      bareSmall: () => there(`put -r ${small} ${peer}`),
      small: () => here(`put -r ${small}`),
      bareLs: () => there('pwd'),
      ls: () => here('pwd'),
    })
    const same = (milliseconds: number) => milliseconds
    const limitName = "OpenSSH's own server"
    const findings: Finding[] = [
      speedOf('put', { mib, ours: large.put, limit: large.barePut, limitName, atLeast: 0.9 }),
      speedOf('get', { mib, ours: large.get, limit: large.bareGet, limitName, atLeast: 0.9 }),
      ...(['put', 'get'] as const).map((what) => ({
        what: `${what}: CPU of control plane, agent and helper for each MiB`,
        value: median(cpu[what]),
        unit: 'ms',
      })),
      ...(
        [
          [`put of ${SMALL_FILES} files of 4 KiB`, others.small, others.bareSmall],
          ['signing in', others.ls, others.bareLs],
        ] as const
      ).map(([what, ours, limit]) => ({
        what: `${what} / ${limitName}`,
        value: medianRatio(ours, limit, same),
        unit: 'x',
        detail: { ms: median(ours), 'OpenSSH ms': median(limit) },
      })),
      grown,
    ]
    return findings
  },
}

const dispose = (machine: Machine): Promise<void> => machine[Symbol.asyncDispose]()

/** Lets the key of this machine in; where and as whom. */
async function opened({ api, database }: FileStage, serverId: string, machine: Machine) {
  // A key may only be added by who has just proven who they are.
  await database.pool.query('update sessions set proved_at = now()')
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  await api.post('/api/account/ssh-keys', { name: 'Bench', publicKey })
  const { port, userName } = await api.get(`/api/servers/${serverId}/sftp`)
  return { port: Number(port), userName: String(userName) }
}

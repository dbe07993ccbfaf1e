import { access, mkdir, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { Bench } from '../row.ts'

const READY_MS = 10_000

/**
 * OpenSSH's own server with its own SFTP, on a free port of this machine. Whoever has the key signs
 * in as the user of this process.
 * @param folder for its files
 */
export async function startOpenssh(
  bench: Bench,
  folder: string,
  publicKeyFile: string,
): Promise<{ port: number; user: string }> {
  // It starts itself again for each connection, by its full path.
  const sshd = await findProgram('sshd')
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  const hostKey = path.join(folder, 'host')
  await runProgram('ssh-keygen', ['-q', '-N', '', '-t', 'ed25519', '-f', hostKey])
  const port = await freePort()
  const config = path.join(folder, 'sshd_config')
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${publicKeyFile}`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  const ended = new AbortController()
  const running = runProgram(sshd, ['-D', '-e', '-f', config], {
    signal: ended.signal,
    deadlineMs: 3_600_000,
  }).then(
    ({ output }) => output,
    () => '',
  )
  bench.ending.add(running, async (one) => {
    ended.abort()
    await one
  })
  const output = await Promise.race([running, listening(port)])
  if (output !== undefined) throw new Error(`sshd ended: ${output}`)
  return { port, user: os.userInfo().username }
}

async function findProgram(name: string): Promise<string> {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin']) {
    const file = path.join(folder, name)
    const found = await access(file).then(
      () => true,
      () => false,
    )
    if (found) return file
  }
  throw new Error(`${name} is missing: install the package openssh-server, and stop its service`)
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address !== 'string' ? address.port : 0
}

async function listening(port: number): Promise<undefined> {
  const lateMs = performance.now() + READY_MS
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return undefined
    if (performance.now() > lateMs) throw new Error('sshd does not listen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FileRules } from '@lodge/shared/file-rules.ts'
import { type FileRight, fileHeaders, SFTP_PATH, SFTP_PROTOCOL } from '@lodge/shared/files.ts'
import { type FileFixture, SERVER } from './file-fixture.ts'

export interface Rights {
  readonly rules?: FileRules
  readonly may?: readonly FileRight[]
}

/** A connection to the helper that has become SFTP, as the control plane makes it. */
export async function openSftp(files: FileFixture, rights: Rights = {}): Promise<Duplex> {
  const socket = await files.helpers.connect(SERVER)
  const request = http.request({
    createConnection: () => socket,
    path: SFTP_PATH,
    headers: {
      connection: 'Upgrade',
      upgrade: SFTP_PROTOCOL,
      ...fileHeaders(rights.rules ?? [], rights.may ?? ['read', 'write', 'delete']),
    },
  })
  request.end()
  const [, stream, head] = (await once(request, 'upgrade')) as [unknown, Duplex, Buffer]
  if (head.byteLength > 0) stream.unshift(head)
  return stream
}

export interface Said {
  readonly ok: boolean
  readonly output: string
}

/** Runs commands of OpenSSH's own client against the helper; ends at the first that fails. */
export async function sftp(
  files: FileFixture,
  commands: readonly string[],
  rights: Rights = {},
): Promise<Said> {
  const path = join(files.folder, `sftp-${Math.random().toString(36).slice(2)}`)
  const server = net.createServer((client) => {
    void openSftp(files, rights).then((stream) => {
      client.on('error', () => stream.destroy()).on('close', () => stream.destroy())
      stream.on('error', () => client.destroy())
      client.pipe(stream).pipe(client)
    })
  })
  server.listen(path)
  await once(server, 'listening')
  const bridge = fileURLToPath(import.meta.resolve('./pipe-to-socket.ts'))
  try {
    return await new Promise<Said>((resolve) => {
      const child = execFile(
        'sftp',
        ['-b', '-', '-D', `${process.execPath} ${bridge} ${path}`],
        { cwd: files.folder, timeout: 60_000 },
        (error, stdout, stderr) => resolve({ ok: error === null, output: stdout + stderr }),
      )
      child.stdin?.end(`${commands.join('\n')}\n`)
    })
  } finally {
    server.close()
  }
}

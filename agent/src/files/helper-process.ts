import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net, { type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerFiles } from '@lodge/driver/capabilities/files.ts'
import { z } from 'zod'
import type { BinState } from './helper/bin/bin.ts'
import { type Command, inSandbox, programsWith, sourcesAround } from './sandbox.ts'
import { CONVERTER, LIMITER, LOCALE } from './seven-zip.ts'

/** Small: a helper only passes bytes on, and there may be many. */
const NODE_OPTIONS = ['--max-old-space-size=256', '--max-semi-space-size=4']
const READY_MS = 20_000
const SEEN_AS = '/data'

const BinSaid = z.object({ kind: z.literal('bin'), dueMs: z.number().nullable() })

export interface HelperListeners {
  readonly log: (line: string) => void
  /** Told when the bin has changed. */
  readonly onBin: (state: BinState) => void
}

/** One running helper: the only process that touches the files of its server. */
export class HelperProcess {
  readonly #child: ChildProcess
  #ended = false

  private constructor(child: ChildProcess) {
    this.#child = child
    child.once('close', () => {
      this.#ended = true
    })
  }

  /** @param bubblewrap undefined where the sandbox does not work */
  static async start(
    files: ServerFiles,
    bubblewrap: string | undefined,
    { log, onBin }: HelperListeners,
  ): Promise<HelperProcess> {
    const main = mainModule()
    const environment = { UV_THREADPOOL_SIZE: '4', MALLOC_ARENA_MAX: '2' }
    const program = process.execPath
    const args = (folder: string) => [
      ...NODE_OPTIONS,
      main,
      folder,
      String(files.uid),
      String(files.gid),
    ]
    const command: Command =
      bubblewrap === undefined
        ? { program, args: args(files.folder) }
        : await inSandbox(bubblewrap, {
            program,
            args: args(SEEN_AS),
            readable: await sourcesAround(main),
            open: await programsWith([CONVERTER, LIMITER], [LOCALE.folder]),
            data: { folder: files.folder, as: SEEN_AS },
            // Node finds the channel to the agent by these.
            environment: {
              ...environment,
              NODE_CHANNEL_FD: '3',
              NODE_CHANNEL_SERIALIZATION_MODE: 'json',
            },
          })
    const child = spawn(command.program, command.args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: environment,
      cwd: '/',
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      const lines = said.split('\n')
      said = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') log(line)
    })
    child
      .on('error', () => {})
      .on('message', (message) => {
        const said = BinSaid.safeParse(message)
        if (said.success) onBin(said.data)
      })
    const ready = once(child, 'message', { signal: AbortSignal.timeout(READY_MS) })
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The file service did not start: ${said.trim().slice(-300)}`)
    })
    try {
      await Promise.race([ready, ended])
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    } finally {
      ready.catch(() => {})
      ended.catch(() => {})
    }
    const helper = new HelperProcess(child)
    helper.tell(files)
    return helper
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Not before the sandbox is empty: the program in it lets go of the data after its starter ends. */
  onExit(listener: () => void): void {
    if (this.#ended) listener()
    else this.#child.once('close', listener)
  }

  /** Tells the helper about its disk. */
  tell({ limitBytes, usedBytes, measuredAtMs, enforced }: ServerFiles): void {
    if (this.#child.connected)
      this.#child.send({ kind: 'disk', limitBytes, usedBytes, measuredAtMs, enforced })
  }

  /** Opens a connection to it. */
  async connect(): Promise<Socket> {
    const [own, other] = await socketPair()
    try {
      await new Promise<void>((resolve, reject) => {
        this.#child.send({ kind: 'connection' }, other, (error) =>
          error ? reject(error) : resolve(),
        )
      })
    } catch (error) {
      own.destroy()
      other.destroy()
      throw error
    }
    return own
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}

/** The helper is next to this file, as source or bundled. */
function mainModule(): string {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./helper.${extension}`, import.meta.url))
}

/** Two ends of one connection, of which nobody else ever knew the path. */
async function socketPair(): Promise<[Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), 'lodge-files-'))
  const server = net.createServer()
  try {
    server.listen(join(folder, 'socket'))
    await once(server, 'listening')
    // Paused, so that this process never reads what is meant for the other one.
    const other = net.connect(join(folder, 'socket')).pause()
    const [[own]] = (await Promise.all([once(server, 'connection'), once(other, 'connect')])) as [
      [Socket],
      unknown,
    ]
    return [own, other]
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

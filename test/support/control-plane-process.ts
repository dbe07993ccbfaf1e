import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { FleetOptions } from '../../control-plane/src/fleet/options.ts'
import { freePort } from './processes.ts'
import { programEnvironment } from './run-lodge.ts'
import type { Lodge } from './stack.ts'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '../..')
const PROGRAM = path.join(import.meta.dirname, 'control-plane-program.ts')
const FOLLOW_PARENT = ['--import', path.join(root, 'tools/follow-parent.mjs')]

/** A control plane in a separate process, so that a test can kill and freeze it. */
export interface ControlPlaneProcess extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly fleetPort: number
  readonly isRunning: boolean
  /** Starts or restarts it; returns when it answers. */
  start(): Promise<void>
  /** kill -9; returns when it is gone. */
  kill(): Promise<void>
  /** Stops it gracefully, as for an update. Returns when it is gone. */
  stop(): Promise<void>
  /** Suspends the process until `thaw`, without its noticing. */
  freeze(): void
  thaw(): void
}

/**
 * Another control plane on the database and with the master key of one in this process. It is not
 * started yet.
 * @param given.options times of the fleet that override those of the product
 */
export async function controlPlaneProcess(
  { database, dataFolder }: Pick<Lodge, 'database' | 'dataFolder'>,
  given: {
    readonly environment?: Readonly<Record<string, string>>
    readonly options?: Partial<FleetOptions>
  } = {},
): Promise<ControlPlaneProcess> {
  const [port, fleetPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const isRunning = () => !!child && child.exitCode === null && child.signalCode === null
  let said = ''

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || !isRunning()) return
    const gone = once(child, 'exit')
    // A frozen process receives no other signal.
    child.kill('SIGCONT')
    child.kill(signal)
    await gone
  }

  return {
    origin,
    port,
    fleetPort,
    get isRunning() {
      return isRunning()
    },
    async start() {
      said = ''
      child = spawn(
        process.execPath,
        [...FOLLOW_PARENT, PROGRAM, JSON.stringify(given.options ?? {})],
        {
          cwd: root,
          env: {
            ...programEnvironment(),
            LODGE_LOG_LEVEL: 'warn',
            LODGE_DATA: dataFolder,
            LODGE_HOST: '127.0.0.1',
            LODGE_PORT: String(port),
            LODGE_FLEET_HOST: '127.0.0.1',
            LODGE_FLEET_PORT: String(fleetPort),
            LODGE_FLEET_ADDRESS: `127.0.0.1:${fleetPort}`,
            LODGE_LOCAL_NODE: 'false',
            LODGE_SFTP: 'false',
            LODGE_CHANGE_BURST: '1000000',
            WEB_ORIGIN: origin,
            DATABASE_URL: database.url,
            LODGE_APPLICATION_DATABASE_URL: database.application.url,
            ...given.environment,
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (part: string) => {
          said = (said + part).slice(-4_000)
        })
      await until(async () => {
        if (!isRunning()) throw new Error(`the control plane has ended:\n${said}`)
        const answer = await fetch(`${origin}/ready`).catch(() => undefined)
        return answer?.ok
      })
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

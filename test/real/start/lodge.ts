import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort, until } from '../../support/processes.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

export interface Place {
  dataFolder: string
  port: number
  fleetPort: number
}

/** Free ports for an installation in `dataFolder`. */
export async function placeIn(dataFolder: string): Promise<Place> {
  return { dataFolder, port: await freePort(), fleetPort: await freePort() }
}

export interface Started {
  npm: ChildProcess
  /** Everything printed so far. */
  output: () => string
  /** Sends the signal to npm only and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>
}

function runNpmStart({ dataFolder, port, fleetPort }: Place) {
  const npm = spawn('npm', ['start'], {
    cwd: repository,
    env: {
      ...process.env,
      LODGE_DATA: dataFolder,
      LODGE_PORT: String(port),
      LODGE_FLEET_PORT: String(fleetPort),
      LODGE_SFTP: 'false',
      LODGE_VM_PACKAGES: 'false',
      // Keep out of the test machine's own libvirt.
      LODGE_AGENT_MACHINES: 'none',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  npm.stdout.on('data', (chunk) => {
    printed += chunk
  })
  npm.stderr.on('data', (chunk) => {
    printed += chunk
  })
  return { npm, exited: once(npm, 'close'), output: () => printed }
}

/** The output of `npm start` and its exit code, when it must refuse. */
export async function npmStartRefused(place: Place): Promise<{ code: unknown; said: string }> {
  const { exited, output } = runNpmStart(place)
  const [code] = await exited
  return { code, said: output() }
}

/** Runs `npm start` and waits until it reports that Lodge is ready. */
export async function npmStart(place: Place): Promise<Started> {
  const { npm, exited, output } = runNpmStart(place)
  await until(() => {
    if (npm.exitCode !== null) throw new Error(`npm start ended:\n${output()}`)
    return output().includes('Lodge is ready') || undefined
  })
  return {
    npm,
    output,
    async end(signal) {
      npm.kill(signal)
      await exited
    },
  }
}

/** Of the first administrator. */
export const ACCOUNT = { email: 'first@lodge.test', password: 'a long and quiet evening' }

/** A signed-in administrator of the installation at that port. */
export async function administrator(port: number) {
  const origin = `http://localhost:${port}`
  const post = (where: string) =>
    fetch(`${origin}${where}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(ACCOUNT),
    })
  // Only the first call creates the account.
  const made = await post('/api/auth/bootstrap')
  const signedIn = made.status === 409 ? await post('/api/auth/login') : made
  if (!signedIn.ok) throw new Error(`sign-in: ${signedIn.status} ${await signedIn.text()}`)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const ask = async (where: string, init: RequestInit) => {
    const headers: Record<string, string> = { cookie, origin }
    if (init.body) headers['content-type'] = 'application/json'
    const answer = await fetch(`${origin}${where}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  return {
    get: (where: string) => ask(where, {}),
    post: (where: string, body: object) =>
      ask(where, { method: 'POST', body: JSON.stringify(body) }),
    put: (where: string, body: object) => ask(where, { method: 'PUT', body: JSON.stringify(body) }),
    remove: (where: string) => ask(where, { method: 'DELETE' }),
  }
}

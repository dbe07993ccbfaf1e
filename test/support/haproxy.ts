import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { until } from './until.ts'

/** A real HAProxy. */
export interface Haproxy extends AsyncDisposable {
  /** Its log about its servers, such as `panels/one is DOWN`. */
  said(): string
}

/**
 * @param configuration complete
 * @param answers polled until it answers
 */
export async function startHaproxy(
  configuration: string,
  answers: () => Promise<unknown>,
): Promise<Haproxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-haproxy-'))
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const program = spawn('/usr/sbin/haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      said += part
    })
  const ended = once(program, 'exit')
  const stop = async () => {
    program.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until(() => {
      if (program.exitCode !== null) throw new Error(said)
      return answers().then(
        () => true,
        () => false,
      )
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { said: () => said, [Symbol.asyncDispose]: stop }
}

/** The documented configuration with these texts replaced, each of which must occur in it. */
export async function documented(
  file: string,
  replaced: Readonly<Record<string, string>>,
): Promise<string> {
  let text = await readFile(file, 'utf8')
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

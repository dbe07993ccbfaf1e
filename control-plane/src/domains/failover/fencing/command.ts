import { type ChildProcess, spawn } from 'node:child_process'

/** The node was not switched off, or it is unknown whether it was; the message says why. */
export class FenceFailed extends Error {
  constructor(message: string) {
    // It quotes foreign output. PostgreSQL accepts neither NUL nor lone surrogates.
    super(message.toWellFormed().replace(/\p{Cc}+/gu, ' '))
  }
}

/** The node that the command acts on. */
export interface FencedNode {
  readonly id: string
  readonly name: string
}

/** The program, and how long each call of it may take. */
interface Fence {
  readonly command: string
  readonly limitMs: number
}

/** How much of the program's output a message quotes. */
const MOST_CHARACTERS = 2_000

/**
 * Runs the operator's program to learn whether a node is on. Only the exact word counts, and only
 * with exit status 0.
 * @throws {FenceFailed}
 */
export async function powerOf(
  fence: Fence,
  node: FencedNode,
  stopped?: AbortSignal,
): Promise<'on' | 'off'> {
  const answer = (await call(fence, 'status', node, stopped)).trim().toLowerCase()
  if (answer === 'on' || answer === 'off') return answer
  if (answer === '')
    throw new FenceFailed('The fence command says nothing where it should say on or off')
  const said = answer.slice(0, 60)
  throw new FenceFailed(`The fence command says “${said}” where it should say on or off`)
}

/** Runs the operator's program to switch a node off. @throws {FenceFailed} */
export async function askOff(fence: Fence, node: FencedNode, stopped?: AbortSignal): Promise<void> {
  await call(fence, 'off', node, stopped)
}

/**
 * One call of the operator's program, without a shell, without our environment, and in its own
 * process group, which is killed as a whole when the time is over.
 * @returns its output
 */
function call(
  { command, limitMs }: Fence,
  verb: 'off' | 'status',
  { id, name }: FencedNode,
  stopped: AbortSignal | undefined,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Without free file descriptors spawn() returns a child without streams and reports the reason in
  // an event.
  let child: ChildProcess
  try {
    child = spawn(command, [verb, name], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', LODGE_NODE_ID: id },
    })
  } catch (error) {
    return Promise.reject(notStarted(error))
  }
  const give = (failure: FenceFailed) => {
    end(child.pid)
    child.stdout?.destroy()
    child.stderr?.destroy()
    reject(failure)
  }
  child.on('error', (error) => give(notStarted(error)))
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      texts[stream] = (texts[stream] + text).slice(0, MOST_CHARACTERS)
    })
  const seconds = Math.ceil(limitMs / 1000)
  const timer = setTimeout(
    () => give(new FenceFailed(`The fence command did not end within ${seconds} s (${verb})`)),
    limitMs,
  )
  const stop = () => give(new FenceFailed('The control plane was stopped meanwhile'))
  stopped?.addEventListener('abort', stop)
  if (stopped?.aborted) stop()
  child.on('close', (code, signal) => {
    if (code === 0) return resolve(texts.stdout)
    const said = texts.stderr.trim().split('\n')[0]?.slice(0, 200)
    const how = code ?? signal
    reject(
      said
        ? new FenceFailed(`The fence command ended with ${how} (${verb}): ${said}`)
        : new FenceFailed(`The fence command ended with ${how} (${verb})`),
    )
  })
  return promise.finally(() => {
    clearTimeout(timer)
    stopped?.removeEventListener('abort', stop)
  })
}

const notStarted = (error: unknown): FenceFailed =>
  new FenceFailed(
    `The fence command cannot be started: ${error instanceof Error ? error.message : error}`,
  )

function end(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has ended already.
  }
}

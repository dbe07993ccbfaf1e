import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '@lodge/driver/driver.ts'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Identity } from '../enrollment/identity.ts'
import { bootMs } from '../guard/boot-clock.ts'
import type { Guard } from '../guard/keeper.ts'
import { reasonOf } from '../reason-of.ts'
import { signedManifest } from './manifest.ts'
import { NotUpdated } from './not-updated.ts'
import { MAIN, type Program } from './program.ts'
import { keepOnly, pointTo, stage } from './stage.ts'
import { ON_TRIAL, whyNotHealthy } from './trial.ts'
import { LEAST_MS, trialEndMs } from './trial-time.ts'

/** A lease is renewed several times within this, unless the guard or the control plane is silent. */
const RENEWED_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 100

const TOO_SHORT =
  'The lease of this node is too short to try a new agent: its servers would be stopped if that did not connect. Choose “Make leases longer…” on the page Failover, and update again once the node has such a lease.'

/** An update after which the former version runs again. */
const RolledBack = z.object({ taskId: z.string(), why: z.string() })

export interface UpdateTask {
  readonly taskId: string
  readonly manifest: string
  readonly signature: Uint8Array
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
}

export interface Replacement {
  /** The bundled program that this process runs. */
  readonly program: Program | undefined
  /** Replaces it. Throws `NotUpdated`. */
  readonly update: (task: UpdateTask) => Promise<void>
}

export interface UpdaterOptions {
  readonly program: Program | undefined
  readonly identity: Identity
  readonly dataFolder: string
  /** The environment of this process and of the version that replaces it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  readonly guard: Pick<Guard, 'lease'> | undefined
  /** Stops the agent and gives up its data folder; servers keep running. */
  readonly stop: () => Promise<void>
}

/**
 * Replaces the program of this agent. The new version is put beside the present one and tried in its
 * place; only a version that has connected and found its servers gets the link that the supervisor
 * starts. Whenever this is killed, the link leads to a version that works, and the same task does
 * the rest.
 *
 * Servers that run under the lease of the node outlive a trial that fails: it ends early enough for
 * this version to renew the lease, and does not begin with too short a lease.
 *
 * A task that succeeds is answered by the new version, since this process ends.
 */
export function updater(options: UpdaterOptions): Replacement['update'] {
  const { program, identity, dataFolder, log, environment, guard } = options
  const outcomeFile = path.join(dataFolder, 'update.json')

  /** Why this task ended with the former version. */
  async function rolledBack(taskId: string): Promise<string | undefined> {
    const text = await readFile(outcomeFile, 'utf8').catch(() => 'null')
    const known = RolledBack.safeParse(parse(text)).data
    return known?.taskId === taskId ? known.why : undefined
  }

  /**
   * Waits for a lease under which a version can be tried without ending what is guarded.
   * @throws {NotUpdated} when even a new one is too short
   */
  async function untilTimeForTrial(signal: AbortSignal): Promise<void> {
    const beganMs = bootMs()
    const before = guard?.lease
    for (let lease = before; ; lease = guard?.lease) {
      const nowMs = bootMs()
      if (trialEndMs(lease, nowMs) - nowMs >= LEAST_MS) return
      const isNew = lease?.deadlineMs !== before?.deadlineMs
      if (isNew || nowMs - beganMs > RENEWED_WITHIN_MS) throw new NotUpdated(TOO_SHORT)
      await delay(LOOK_EVERY_MS)
      signal.throwIfAborted()
    }
  }

  async function replace(folder: string, present: Program, taskId: string): Promise<void> {
    await options.stop()
    const beganMs = bootMs()
    let why: string | undefined
    try {
      why = await whyNotHealthy(folder, {
        environment,
        args: process.argv.slice(2),
        leftMs: () => trialEndMs(guard?.lease, beganMs) - bootMs(),
      })
      if (why === undefined) await pointTo(present, folder)
    } catch (error) {
      why = reasonOf(error)
    }
    if (why === undefined) {
      await keepOnly(present, [folder, present.folder]).catch(() => undefined)
    } else {
      log.error({ why }, 'the new agent did not come up: the former one goes on')
      await record({ taskId, why })
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
    become(present, environment)
  }

  async function record(outcome: z.infer<typeof RolledBack>): Promise<void> {
    const next = `${outcomeFile}.new`
    await writeFile(next, JSON.stringify(outcome), { mode: 0o600, flush: true })
    await rename(next, outcomeFile)
  }

  return async ({ taskId, manifest: text, signature, onProgress, signal }) => {
    // The version on trial does not know yet whether it stays.
    if (environment[ON_TRIAL]) return await new Promise(() => undefined)
    const manifest = signedManifest(text, signature, identity.caCertificate)
    if (program?.build === manifest.build) return
    const why = await rolledBack(taskId)
    if (why !== undefined)
      throw new NotUpdated(`The new agent did not come up, and the former one runs again: ${why}.`)
    if (!program?.replaceable) return await updateNothing()
    await untilTimeForTrial(signal)
    const folder = await stage({ manifest, program, identity, onProgress, signal }).catch(
      (error: unknown) => {
        throw new NotUpdated(`The new agent was not downloaded: ${reasonOf(error)}.`)
      },
    )
    onProgress({ step: 'verify', percent: null, detail: 'Trying the new agent' })
    await untilTimeForTrial(signal)
    signal.throwIfAborted()
    log.info({ version: manifest.version, build: manifest.build }, 'replacing the agent')
    void replace(folder, program, taskId).catch((error: unknown) => {
      log.fatal({ err: error }, 'the agent could not be replaced')
      process.exit(1)
    })
    return await new Promise(() => undefined)
  }
}

/** For an agent that cannot replace itself. */
export const updateNothing = async (): Promise<void> => {
  throw new NotUpdated('This agent cannot replace itself: paste a new join line.')
}

/** Goes on as the version that the link leads to, in this very process where the system can. */
function become({ prefix }: Program, environment: UpdaterOptions['environment']): void {
  const node = path.join(prefix, 'bin/node')
  const args = [node, path.join(prefix, MAIN), ...process.argv.slice(2)]
  try {
    process.execve?.(node, args, { ...environment })
  } finally {
    // The supervisor starts it.
    process.exit(0)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

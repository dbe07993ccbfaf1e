import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { DriverError, type OnProgress, type ServerRef } from '@lodge/driver/driver.ts'
import type { ContainerSpec, InstallSpec } from '@lodge/shared/container-spec.ts'
import type { ServerPaths } from '../data/layout.ts'
import { type Engine, retryRuleConflicts } from '../engine/client.ts'
import { containerName } from '../engine/names.ts'
import { removeContainer } from '../engine/removal.ts'
import { frameReader } from '../output/frames.ts'
import { openInstallLog } from '../output/install-log.ts'
import { logLines } from '../output/log-lines.ts'
import { buildContainer } from './container.ts'

/**
 * What an installer's root may do inside: change ownership and act as other users, nothing else.
 */
const INSTALLER_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']

export interface InstallPlan {
  readonly engine: Engine
  readonly scope: string
  readonly server: ServerRef
  readonly spec: ContainerSpec
  readonly install: InstallSpec
  readonly network: string
  readonly paths: ServerPaths
  readonly fingerprint: string
}

/** Creates something of the installer's image; tells when that has to be brought once more. */
export type CreateOfImage = (
  make: (image: string) => Promise<unknown>,
  onProgress: OnProgress,
) => Promise<void>

/**
 * Runs the installer's container to completion and removes it. Throws `install_failed` on a nonzero
 * exit code, `timeout` after `timeoutSeconds`, the signal's reason when aborted.
 */
export async function runInstaller(
  plan: InstallPlan,
  createOfImage: CreateOfImage,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const { engine, install, paths, scope, server } = plan
  const container = engine.docker.getContainer(containerName(scope, server.serverId, 'install'))
  const removeInstaller = () =>
    removeContainer(engine, containerName(scope, server.serverId, 'install'))

  await rm(paths.installFolder, { recursive: true, force: true })
  await mkdir(paths.installFolder, { mode: 0o755 })
  await writeFile(
    join(paths.installFolder, 'install.sh'),
    install.script.replaceAll('\r\n', '\n'),
    { mode: 0o755 },
  )
  // An installer left by an earlier agent has the same name.
  await removeInstaller()
  const lines = logLines((told) =>
    onProgress({ step: 'install', percent: null, detail: 'Installing', logLines: told }),
  )
  const log = openInstallLog(paths.installLog, secretsOf(plan), lines.add)
  const timer = new AbortController()
  const ending = AbortSignal.any([signal, timer.signal])
  let timeout: NodeJS.Timeout | undefined
  let socket: Duplex | null = null
  try {
    const create = (image: string) =>
      engine.call(
        (abortSignal) => engine.docker.createContainer({ ...describe(plan, image), abortSignal }),
        { signal, deadlineMs: 30_000 },
      )
    // The log tells its lines itself.
    await createOfImage(create, ({ logLines: told = [], ...progress }) => {
      log.add(told)
      onProgress(progress)
    })
    timeout = setTimeout(
      () =>
        timer.abort(
          new DriverError(
            'timeout',
            `The installer did not end within ${install.timeoutSeconds} s.`,
          ),
        ),
      install.timeoutSeconds * 1000,
    )
    socket = (await engine.call(
      (abortSignal) =>
        container.attach({ stream: true, stdout: true, stderr: true, hijack: true, abortSignal }),
      { signal: ending },
    )) as Duplex
    // Attached before the start, so that no output is lost.
    const drained = drain(socket, log.write)
    await retryRuleConflicts(() =>
      engine.call((abortSignal) => container.start({ abortSignal }), {
        signal: ending,
        deadlineMs: 60_000,
      }),
    )
    const code = await exitCode(engine, container.id, ending)
    await Promise.race([drained, drainDeadline()])
    if (code !== 0)
      throw new DriverError('install_failed', `The installer ended with exit code ${code}.`)
  } catch (error) {
    if (ending.aborted) throw ending.reason
    throw error
  } finally {
    clearTimeout(timeout)
    socket?.destroy()
    await log.close()
    lines.flush()
    await removeInstaller()
    await rm(paths.installFolder, { recursive: true, force: true })
  }
}

function describe(plan: InstallPlan, image: string) {
  const { install, paths, server, spec } = plan
  return buildContainer({
    kind: 'install',
    scope: plan.scope,
    serverId: server.serverId,
    generation: server.generation,
    run: server.run,
    fingerprint: plan.fingerprint,
    image,
    uid: 0,
    command: [...install.interpreter, '/mnt/install/install.sh'],
    environment: { HOME: '/root', ...install.environment },
    workingDirectory: '/mnt/server',
    tty: false,
    writableRoot: true,
    temporaryMb: Math.max(spec.temporaryMb, 256),
    capabilities: INSTALLER_CAPABILITIES,
    limits: { ...spec.limits, memoryMb: Math.max(spec.limits.memoryMb, install.memoryMb ?? 0) },
    ports: [],
    mounts: [
      { source: paths.data, target: '/mnt/server', readOnly: false },
      { source: paths.installFolder, target: '/mnt/install', readOnly: false },
    ],
    network: plan.network,
  })
}

/** Waits for the installer's exit, across a restart of the engine. */
async function exitCode(engine: Engine, name: string, signal: AbortSignal): Promise<number> {
  const container = engine.docker.getContainer(name)
  for (;;) {
    try {
      const answer = await container.wait({ condition: 'not-running', abortSignal: signal })
      return statusCode(answer)
    } catch (error) {
      signal.throwIfAborted()
      const facts = await engine.call((abortSignal) => container.inspect({ abortSignal }), {
        signal,
        deadlineMs: 30_000,
      })
      // Only the connection was lost if the container is still running: wait again.
      if (!facts.State.Running) return facts.State.ExitCode
      void error
    }
  }
}

function statusCode(answer: unknown): number {
  if (
    answer &&
    typeof answer === 'object' &&
    'StatusCode' in answer &&
    typeof answer.StatusCode === 'number'
  ) {
    return answer.StatusCode
  }
  throw new Error('no exit code')
}

function drain(socket: Duplex, onOutput: (chunk: Uint8Array) => void): Promise<void> {
  socket.on('data', frameReader(false, onOutput))
  socket.on('error', () => {})
  return new Promise((resolve) => socket.on('close', resolve))
}

/** The last output arrives right after the exit; a connection that stays open must not block. */
function drainDeadline(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2000).unref())
}

/** The values to mask in logs. */
export function secretsOf({
  spec,
  install,
}: Pick<InstallPlan, 'spec' | 'install'>): readonly string[] {
  return spec.secretNames
    .flatMap((name) => [spec.environment[name], install.environment[name]])
    .filter((value) => value !== undefined)
}

import { setTimeout as delay } from 'node:timers/promises'
import { asDriverError, type Engine, EngineError, unavailable } from './client.ts'

const DEADLINE_MS = 60_000
const LOOK_EVERY_MS = 50

/** Force-removes a container and returns when its name is free. Does nothing when there is none. */
export async function removeContainer(engine: Engine, name: string): Promise<void> {
  const container = engine.docker.getContainer(name)
  const began = Date.now()
  try {
    await engine.find((abortSignal) => container.remove({ force: true, v: true, abortSignal }), {
      deadlineMs: DEADLINE_MS,
    })
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 409) throw asDriverError(error)
    // Another removal is under way.
    while (await engine.find((abortSignal) => container.inspect({ abortSignal }))) {
      if (Date.now() - began > DEADLINE_MS)
        throw unavailable('Docker does not remove a container.', error)
      await delay(LOOK_EVERY_MS)
    }
  }
}

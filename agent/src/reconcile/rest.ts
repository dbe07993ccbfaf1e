import type { KeptServer } from './kept-server.ts'

/** Nothing is left to do for the newest wish: says how it went. */
export function rest(keeper: KeptServer): void {
  const { memory, wish, facts } = keeper
  if (wish?.power === 'off' && !facts.running && memory.phase !== 'stopped') stopped(keeper)
  // Until it is proven to be alive, a start has no outcome.
  if (facts.running && memory.phase === 'starting') {
    keeper.save()
    return
  }
  if (wish && wish.spec === null && !wish.removed) {
    memory.failure = {
      code: 'invalid_spec',
      detail: `The server's document cannot be used: ${wish.specFault}`,
      retryable: false,
    }
  } else if (wish?.power === 'on' && !facts.running && memory.installFailed > memory.installed) {
    memory.failure ??= {
      code: 'install_failed',
      detail: 'The installation failed: reinstall the server first',
      retryable: false,
    }
  }
  keeper.settle()
}

/** It ended, or never came up, while it was wished off meanwhile. */
function stopped(keeper: KeptServer): void {
  const { memory, wish, around, serverId } = keeper
  const wasUp = memory.phase !== 'crashed'
  keeper.phase('stopped')
  if (wasUp) {
    const kind = wish?.ending === 'kill' ? 'killed' : 'stopped'
    keeper.report(kind, { reason: 'Stopped as wished', exit: memory.lastExit })
  }
  around.changed(serverId)
}

import type { ReconciledServer } from '../state/reconciled-server.ts'

/** Records the outcome of the newest desired state when nothing is left to do for it. */
export function rest(reconciler: ReconciledServer): void {
  const { memory, desired, facts } = reconciler
  restStopped(reconciler)
  // Until its readiness probe succeeds, a start has no outcome.
  if (facts.running && memory.phase === 'starting') {
    reconciler.save()
    return
  }
  if (desired && desired.spec === null && !desired.removed) {
    memory.failure = {
      code: 'invalid_spec',
      detail: `The server's document cannot be used: ${desired.specFault}`,
      retryable: false,
    }
  } else if (desired?.power === 'on' && !facts.running && memory.installFailed > memory.installed) {
    memory.failure ??= {
      code: 'install_failed',
      detail: 'The installation failed: reinstall the server first',
      retryable: false,
    }
  }
  reconciler.settle()
}

/** Of a workload that exited, or never came up, and has meanwhile been turned off. */
export function restStopped(reconciler: ReconciledServer): void {
  const { memory, desired, facts, around, serverId } = reconciler
  if (desired?.power !== 'off' || facts.running || memory.phase === 'stopped') return
  const wasUp = memory.phase !== 'crashed'
  reconciler.phase('stopped')
  if (wasUp) {
    const kind = desired.ending === 'kill' ? 'killed' : 'stopped'
    reconciler.report(kind, { reason: 'Stopped on request', exit: memory.lastExit })
  }
  around.changed(serverId)
}

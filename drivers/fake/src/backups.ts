import type { Backups } from '@lodge/driver/capabilities/backups.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { FakeExchange, FakeRuntime } from './runtime.ts'

/** Exchanges the contents of folders, which are short texts. */
export function fakeBackups(runtime: FakeRuntime, folder: (serverId: string) => string): Backups {
  const staged = (serverId: string) => `${folder(serverId)}.restore`
  const former = (serverId: string) => `${folder(serverId)}.former`
  const of = (serverId: string): FakeExchange => {
    const known = runtime.exchanges.get(serverId) ?? { staged: null, swapped: null }
    runtime.exchanges.set(serverId, known)
    return known
  }
  const rename = (from: string, to: string) => {
    runtime.folders.set(to, runtime.folders.get(from) ?? '')
    runtime.folders.delete(from)
  }
  /** A machine's parts, which are what a backup of it contains. @returns whether it is one */
  const writeOut = (serverId: string, to: string): boolean => {
    const machine = runtime.machines.get(serverId)
    if (!machine) return false
    const backup = { uuid: machine.spec.uuid, parts: [...machine.parts] }
    runtime.folders.set(to, JSON.stringify(backup))
    return true
  }
  const readIn = (serverId: string) => {
    const machine = runtime.machines.get(serverId)
    const text = runtime.folders.get(folder(serverId))
    if (!machine || !text) return
    runtime.folders.delete(folder(serverId))
    const { uuid, parts } = JSON.parse(text)
    const tpm = machine.parts.get('tpm')
    machine.parts.clear()
    for (const [name, content] of parts) machine.parts.set(name, content)
    // Another machine keeps what identifies it.
    if (uuid !== machine.spec.uuid && tpm !== undefined) machine.parts.set('tpm', tpm)
  }
  const requireStopped = (serverId: string) => {
    if (!runtime.servers.get(serverId)?.workload?.running) return
    throw new DriverError('not_stopped', 'Files of the server are still open.', { retryable: true })
  }

  return {
    async open(serverId) {
      runtime.check()
      return folder(serverId)
    },
    async stage(serverId, restoreId) {
      runtime.check()
      of(serverId).staged = { restoreId, complete: false }
      runtime.folders.set(staged(serverId), '')
      return staged(serverId)
    },
    async complete(serverId, _restoreId, _signal, ignored = []) {
      const exchange = of(serverId)
      if (exchange.staged) exchange.staged = { ...exchange.staged, complete: true, ignored }
    },
    async carry(serverId) {
      const { staged } = of(serverId)
      if (!staged) return
      requireStopped(serverId)
      runtime.carried.set(serverId, staged.ignored ?? [])
    },
    async swap(serverId, restoreId) {
      const exchange = of(serverId)
      const { swapped } = exchange
      if (swapped?.restoreId === restoreId && swapped.inPlace === 'restored') return
      requireStopped(serverId)
      if (exchange.staged?.restoreId !== restoreId || !exchange.staged.complete)
        throw new DriverError('not_found', 'Nothing was restored to be put in place.')
      writeOut(serverId, folder(serverId))
      rename(folder(serverId), former(serverId))
      rename(staged(serverId), folder(serverId))
      readIn(serverId)
      runtime.exchanges.set(serverId, {
        staged: null,
        swapped: { restoreId, inPlace: 'restored' },
      })
    },
    async swapBack(serverId, restoreId) {
      const { swapped } = of(serverId)
      if (swapped?.restoreId !== restoreId || swapped.inPlace === 'former') return
      requireStopped(serverId)
      rename(former(serverId), folder(serverId))
      readIn(serverId)
      swapped.inPlace = 'former'
    },
    async put(serverId, _restoreId, { keep }) {
      const present = runtime.folders.get(folder(serverId)) ?? ''
      if (keep !== null) runtime.folders.set(`${folder(serverId)}${keep}`, present)
      runtime.folders.set(folder(serverId), runtime.folders.get(staged(serverId)) ?? '')
      return keep === null ? 0 : 1
    },
    async settle(serverId, restoreId) {
      const exchange = of(serverId)
      if (exchange.staged?.restoreId === restoreId) {
        runtime.folders.delete(staged(serverId))
        exchange.staged = null
      }
      if (exchange.swapped && exchange.swapped.restoreId !== restoreId) return
      runtime.folders.delete(former(serverId))
      exchange.swapped = null
      if (!exchange.staged) runtime.exchanges.delete(serverId)
    },
    async freeze(serverId) {
      const copy = `${folder(serverId)}.backup`
      if (!writeOut(serverId, copy)) return null
      return {
        folder: copy,
        takenWhileRunning: runtime.servers.get(serverId)?.workload?.running ?? false,
        async release() {
          runtime.folders.delete(copy)
        },
      }
    },
  }
}

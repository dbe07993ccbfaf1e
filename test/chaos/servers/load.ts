import type { ServerAction } from '@lodge/shared/servers.ts'
import { anyOf, drawn } from '../../../drivers/contract/src/suite/chance.ts'
import type { Machine } from '../../real/support/machine.ts'

const WEIGHTED: readonly ServerAction[] = ['start', 'start', 'start', 'stop', 'restart', 'kill']

/** What the API accepted, and how often each status was returned. */
export class Promises {
  readonly jobs = new Set<string>()
  readonly names = new Map<string, number>()
  readonly statuses = new Map<number, number>()

  answered(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/** A client that sends random power actions and new names for one server until stopped. */
export async function keepBusy(
  { admin }: Machine,
  id: string,
  promises: Promises,
  isOver: () => boolean,
): Promise<void> {
  for (let count = promises.names.get(id) ?? 0; !isOver(); ) {
    const params = { id }
    if (drawn(0, 4) === 0) {
      count += 1
      const body = { name: `Name ${count}` }
      const { status } = await admin.call('PATCH /api/servers/{id}', { params, body })
      promises.answered(status)
      if (status === 200) promises.names.set(id, count)
    } else {
      const body = { action: anyOf(WEIGHTED), confirm: true }
      const answer = await admin.call('POST /api/servers/{id}/actions', { params, body })
      promises.answered(answer.status)
      if (answer.status === 202) promises.jobs.add(answer.body.jobId)
    }
    // As fast as a person with a macro; a loop without pauses would only measure its own load.
    await new Promise((resolve) => setTimeout(resolve, drawn(50, 400)))
  }
}

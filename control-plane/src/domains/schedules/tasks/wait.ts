import { taskKind } from './task-kind.ts'

export const wait = taskKind({
  action: 'wait',
  may: () => ['schedules.manage'],
  async run({ seconds }, { startedAt, tools }) {
    const at = new Date(startedAt.getTime() + seconds * 1_000)
    await tools.waitUntil({ kind: 'time', at }, async () => true)
  },
})

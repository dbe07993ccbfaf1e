import type { ServerFacts } from '@lodge/shared/schedule-tasks.ts'
import { OutputUnread } from '@lodge/shared/schedule-tasks.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { StepTools } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { readLogs, type ServerView, statusOf } from '../../servers/index.ts'
import { playersOn } from './players-store.ts'

/** The values that conditions of tasks are compared with. */
export function factsOf(given: {
  readonly ctx: Ctx<User>
  readonly tools: StepTools
  readonly server: ServerView
}): ServerFacts {
  const { ctx, tools, server } = given
  const { observedState } = server
  return {
    status: statusOf(server),
    isOn:
      observedState === 'running' || observedState === 'starting' || observedState === 'stopping',
    disk: { usedBytes: server.usageDisk, sizeMb: server.diskMb },
    memory: { usedBytes: server.usageMemory, sizeMb: server.memoryMb },
    players: () => playersOn(ctx.db, server.metricKey),
    async output(lines) {
      try {
        return (await tools.elsewhere(() => readLogs(ctx, server, lines, 'run'))).lines
      } catch (error) {
        throw error instanceof Problem ? new OutputUnread(error.message) : error
      }
    },
  }
}
